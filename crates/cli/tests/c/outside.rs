//! What a program takes from outside its own text is known, or refused by its name.

use crate::checking::{Answer, compilers, finish};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of its own for a test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("mazurka-outside-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        Folder(folder)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a file can be written");
        path
    }

    fn run(&self, command: &str, arguments: &[&str]) {
        let status = Command::new(command).current_dir(&self.0).args(arguments).status();
        assert!(status.is_ok_and(|status| status.success()), "{command} {arguments:?}");
    }

    fn check(&self, compiler: &str, arguments: &[&str]) -> Answer {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
        command.current_dir(&self.0).args(["check", "--compiler", compiler]).args(arguments);
        finish(command).expect("it ends")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is left behind in a folder for such files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[track_caller]
fn refused(answer: &Answer, words: &[&str]) {
    assert_eq!(answer.status, 2, "{}", answer.told());
    for word in words {
        assert!(answer.err.contains(word), "no '{word}' in: {}", answer.err);
    }
}

#[test]
fn a_function_that_is_not_known_is_refused_with_its_place() {
    let folder = Folder::new("function");
    folder.write(
        "tree.c",
        "#include <search.h>\nstatic int compare(const void *a, const void *b) { return a < b ? -1 : a > b; }\n\nint main(void)\n{\n    \
         void *root = 0;\n    tsearch(\"a\", &root, compare);\n    return 0;\n}\n",
    );
    for compiler in compilers() {
        refused(&folder.check(compiler, &["tree.c"]), &["the function tsearch at tree.c:7", "--assume-harmless"]);
        let assumed = folder.check(compiler, &["tree.c", "--assume-harmless", "tsearch", "--no-leaks"]);
        assert_eq!(assumed.status, 3, "{}", assumed.told());
        assert!(
            assumed.out.contains("not a proof: it is assumed that the function tsearch accesses no memory"),
            "{}",
            assumed.out
        );
    }
}

#[test]
fn memory_streams_are_refused() {
    let folder = Folder::new("stream");
    folder.write(
        "stream.c",
        "#define _GNU_SOURCE\n#include <stdio.h>\nint main(void) { char *p; size_t n; return !open_memstream(&p, &n); }\n",
    );
    refused(&folder.check(compilers()[0], &["stream.c"]), &["the function open_memstream at stream.c:3"]);
}

#[test]
fn shared_libraries_and_foreign_objects_are_refused() {
    let folder = Folder::new("library");
    folder.write("queue.c", "static int last;\nint push(int value) { return last = value; }\n");
    folder.write("main.c", "int push(int);\nint main(void) { return push(0); }\n");
    folder.run("cc", &["-shared", "-fPIC", "queue.c", "-o", "libqueue.so"]);
    folder.run("cc", &["-fPIC", "-c", "queue.c", "-o", "queue.o"]);
    folder.run("ar", &["rc", "libstatic.a", "queue.o"]);
    let compiler = compilers()[0];
    refused(&folder.check(compiler, &["main.c", "--", "-L.", "-lqueue"]), &["the shared library libqueue.so"]);
    refused(&folder.check(compiler, &["main.c", "--", "-L.", "-lstatic"]), &["the object queue.o of libstatic.a"]);
    refused(&folder.check(compiler, &["main.c", "--", "queue.o"]), &["the object queue.o"]);
    // The same compiled for the check is part of the program.
    let mazurka = env!("CARGO_BIN_EXE_mazurka");
    folder.run(mazurka, &["cc", "-c", "queue.c", "-o", "queue.o"]);
    folder.run("ar", &["rc", "libown.a", "queue.o"]);
    let own = folder.check(compiler, &["main.c", "--", "-L.", "-lown"]);
    assert_eq!(own.status, 0, "{}", own.told());
}

#[test]
fn parallel_loops_of_openmp_are_refused() {
    let folder = Folder::new("openmp");
    folder.write(
        "loop.c",
        "int x;\nint main(void)\n{\n#pragma omp parallel for\n    for (int i = 0; i < 4; i++) x++;\n    return 0;\n}\n",
    );
    let is_gcc = |name: &&&str| name.contains("gcc");
    for compiler in compilers().iter().filter(is_gcc) {
        refused(&folder.check(compiler, &["loop.c", "--", "-fopenmp"]), &["GOMP_parallel", "libgomp.so"]);
    }
}

#[test]
fn memory_that_a_library_hands_out_is_refused() {
    let folder = Folder::new("memory");
    // The C library's own buffer of a stream.
    folder.write(
        "buffer.c",
        "#include <stdio.h>\nint main(void)\n{\n    char *p = (char *)stdout;\n    p[0] = p[0];\n    return 0;\n}\n",
    );
    for compiler in compilers() {
        refused(
            &folder.check(compiler, &["buffer.c"]),
            &["neither a variable, nor on the heap or a stack", "buffer.c:5"],
        );
    }
}

#[test]
fn what_is_kept_of_compilations_is_that_of_the_sources() {
    let folder = Folder::new("cache");
    let cache = folder.0.join("kept");
    let check = |value: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mazurka"));
        command.current_dir(&folder.0).env("MAZURKA_CACHE", value).args(["check", "main.c"]);
        finish(command).expect("it ends").status
    };
    folder.write("value.h", "#define VALUE 1\n");
    folder.write(
        "main.c",
        "#include <assert.h>\n#include \"value.h\"\nint main(void) { assert(VALUE == 1); return 0; }\n",
    );
    assert_eq!((check(&cache), check(&cache)), (0, 0));
    let kept = std::fs::read_dir(&cache).expect("the folder is there").count();
    assert!(kept > 2, "{kept} files");
    folder.write("value.h", "#define VALUE 2\n");
    assert_eq!(check(&cache), 1, "a header has changed");
    folder.write("value.h", "#define VALUE 1\n");
    assert_eq!(check(&cache), 0);
    assert_eq!(check(Path::new("off")), 0);
}

#[test]
fn a_shared_struct_by_value_is_seen_by_clang_and_refused_with_gcc() {
    let folder = Folder::new("by-value");
    let text = |main: &str| {
        format!(
            "#include <pthread.h>\nstruct five {{ long of[5]; }};\nstatic struct five shared;\nstatic void take(struct five value) {{ (void)value; }}\n\
             static void *thread(void *unused) {{ shared.of[3] = 1; return unused; }}\nint main(void)\n{{\n    pthread_t t;\n    \
             pthread_create(&t, 0, thread, 0);\n    {main}\n    return pthread_join(t, 0);\n}}\n"
        )
    };
    folder.write("shared.c", &text("take(shared);"));
    folder.write("local.c", &text("struct five local = {{0}}; take(local);"));
    for compiler in compilers() {
        let answer = folder.check(compiler, &["shared.c"]);
        if compiler.starts_with("gcc") {
            refused(&answer, &["'shared' in a call of take at shared.c:10", "--compiler clang"]);
        } else {
            assert!(answer.out.contains("data race"), "{}", answer.told());
        }
        let answer = folder.check(compiler, &["local.c"]);
        assert_eq!(answer.status, 0, "{compiler}: {}", answer.told());
    }
}

#[test]
fn what_a_compiler_does_not_instrument_is_refused() {
    let folder = Folder::new("uninstrumented");
    let program = |access: &str| {
        format!(
            "#include <x86intrin.h>\nlong shared;\n__attribute__((unused)) static double pair[2];\n\
             {access}\nint main(void)\n{{\n    touch();\n    return 0;\n}}\n"
        )
    };
    folder.write("counter.c", &program("static void touch(void) { shared = __rdtsc(); }"));
    folder
        .write("half.c", &program("static void touch(void) { __m128d v = {0}; pair[0] = _mm_loadh_pd(v, pair)[1]; }"));
    folder.write(
        "attribute.c",
        &program("__attribute__((no_sanitize(\"thread\"))) static void touch(void) { shared = 1; }"),
    );
    for compiler in compilers() {
        refused(&folder.check(compiler, &["counter.c"]), &["rdtsc", "in every execution"]);
        if compiler.starts_with("gcc") {
            refused(&folder.check(compiler, &["half.c"]), &["__builtin_ia32_loadhpd"]);
            refused(&folder.check(compiler, &["attribute.c"]), &["'touch'", "no_sanitize"]);
        } else {
            for source in ["half.c", "attribute.c"] {
                let answer = folder.check(compiler, &[source]);
                assert_eq!(answer.status, 0, "{compiler}: {}", answer.told());
            }
        }
    }
}

#[test]
fn a_stream_that_threads_share_is_looked_at() {
    let folder = Folder::new("shared-stream");
    let program = |of_thread: &str, of_main: &str| {
        format!(
            "#include <iostream>\n#include <mutex>\n#include <sstream>\n#include <thread>\nstd::mutex lock;\nint main()\n{{\n    std::stringstream \
             stream;\n    std::thread other([&] {{ {of_thread} }});\n    {of_main}\n    other.join();\n    return 0;\n}}\n"
        )
    };
    let hold = "{ std::lock_guard<std::mutex> hold(lock); stream << 1; }";
    folder.write("both.cpp", &program("stream << 1.5;", "stream << \"text\";"));
    folder
        .write("read.cpp", &program("stream << 1;", "volatile bool is_empty = stream.str().empty(); (void)is_empty;"));
    folder.write("held.cpp", &program(hold, hold));
    folder.write("standard.cpp", &program("std::cout << 1;", "std::cout << 2 << std::endl;"));
    for compiler in compilers() {
        for source in ["both.cpp", "read.cpp"] {
            let answer = folder.check(compiler, &[source]);
            assert!(answer.out.contains("data race"), "{compiler}: {source}: {}", answer.told());
        }
        for source in ["held.cpp", "standard.cpp"] {
            let answer = folder.check(compiler, &[source]);
            assert_eq!(answer.status, 0, "{compiler}: {source}: {}", answer.told());
        }
    }
}
