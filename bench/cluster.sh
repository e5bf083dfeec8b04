#!/usr/bin/env bash
# One worker process of one core on a cluster, and two: times, and the CPU time of the server. Prints a table in Markdown.
#
#   cargo build --release -p mazurka-cli --features cluster
#   cargo test --release -p mazurka --features cluster --test cluster --no-run   # its path is the second argument
#   bench/cluster.sh target/release/mazurka target/release/deps/cluster-… >> bench/records/$(date +%F)-cluster.md
set -euo pipefail
mazurka=$(realpath "$1")
rust=$(realpath "$2")
bin=$(dirname "$(realpath "$(command -v initdb || find /usr/lib/postgresql -name initdb | sort | tail -1)")")
folder=$(mktemp -d)
as=""
if [ "$(id -u)" -eq 0 ]; then
    as="runuser -u postgres --"
    chown postgres "$folder"
fi
chmod 755 "$folder"
cd "$folder"
$as "$bin/initdb" -D "$folder/db" -U mazurka -A trust --no-sync >/dev/null
$as "$bin/postgres" -D "$folder/db" -c listen_addresses= -c unix_socket_directories="$folder" >/dev/null 2>&1 &
started=$!
trap 'kill $started; wait $started || true; rm -rf "$folder"' EXIT
for _ in $(seq 100); do "$bin/pg_isready" -q -h "$folder" && break || sleep 0.1; done
"$bin/pg_isready" -q -h "$folder"
postmaster=$(head -1 "$folder/db/postmaster.pid")
url="postgres://mazurka@/postgres?host=$folder"

cat >adds.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y, z;
void *work(void *n) { return (void *)(long)(atomic_fetch_add(&x, 1) + atomic_fetch_add(&y, 1) + atomic_fetch_add(&z, 1)); }
int main(void) {
    pthread_t t[5];
    for (int n = 0; n < 5; n++) pthread_create(&t[n], 0, work, 0);
    for (int n = 0; n < 5; n++) pthread_join(t[n], 0);
}
C

# Of the server and all its processes that have ended, in seconds.
cpu() { awk '{ print ($14 + $15 + $16 + $17) / 100 }' "/proc/$postmaster/stat"; }

# The time and the executions of the last run.
last() { "$bin/psql" -h "$folder" -U mazurka -d postgres -Atc \
    "SELECT round(extract(epoch FROM finished_at - created_at)::numeric, 2), (SELECT sum(completed + deadlocked + failed + cut)
     FROM mazurka_tally t WHERE t.run = r.run AND t.version = r.version) FROM mazurka_run r ORDER BY run DESC LIMIT 1" | tr '|' ' '; }

measure() {
    local name=$1
    shift
    read -r -a one <<<"$("$@" >/dev/null 2>&1; last)"
    sleep 1
    local before after
    "$mazurka" worker "$url" --workers 1 --idle 2s --test-binary "$rust" >/dev/null 2>&1 &
    local other=$!
    sleep 0.5
    before=$(cpu)
    read -r -a two <<<"$("$@" >/dev/null 2>&1; last)"
    wait $other
    sleep 1
    after=$(cpu)
    awk -v name="$name" -v n="${two[1]}" -v m="${one[1]}" -v a="${one[0]}" -v b="${two[0]}" -v c="$before" -v d="$after" 'BEGIN {
        printf "| %s | %d%s | %.1f s | %.1f s | %.2f | %.2f s, %.1f %% |\n", name, n, n == m ? "" : " (differs!)", a, b, a / b,
            d - c, 100 * (d - c) / (2 * b) }'
}

echo "| program | executions | one process | two | ratio | server's CPU with two |"
echo "|---|---|---|---|---|---|"
export MAZURKA_WORKERS=1
measure "lastzero(${LASTZERO:-20})" "$mazurka" run lastzero "${LASTZERO:-20}" --workers 1 --cluster "$url"
measure "adds.c" "$mazurka" check adds.c --workers 1 --cluster "$url"
MAZURKA_CLUSTER=$url MAZURKA_TEST_BODY=heavy measure "a Rust test" "$rust" checked --exact --nocapture
