// Opens a file for writing, which no new run could undo.
// expect: refused open
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("should-not-be-written.txt", "w");
    if (!file)
        return 1;
    fputs("written\n", file);
    fclose(file);
    return 0;
}
