#!/usr/bin/env bash
# One worker process of one core on a cluster, and two: times, and the CPU time of the server. Builds what it needs, and writes
# bench/records/DATE-speedup.md; nobody else should use the machine meanwhile.
#
#   bench/cluster.sh   # ROUNDS=3, the median of which is told; LASTZERO=20
#
# Two columns say how much faster two are. The *ratio* is of wall times: what a user sees, on a machine that is quiet and whose cores
# are equally fast all the time. *By CPU time* is the CPU time of the one process over that of the busier one of the two, which
# other users of the machine hardly change: it counts what is done twice or for the cluster, and not what is waited for.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
cargo build --release -p mazurka-cli --features cluster
mazurka=$root/target/release/mazurka
rust=$root/$(cargo test --release -p mazurka --features cluster --test cluster --no-run 2>&1 | sed -n 's/.*Executable.*(\(.*\))/\1/p')
[ -x "$rust" ] || { echo "the test binary is not there" >&2; exit 1; }
record=${RECORD:-$root/bench/records/$(date +%F)-speedup.md}
rounds=${ROUNDS:-3}
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
atomic_int x, y, z, w;
// What is added to is looked at: additions that nobody looks at commute.
void *work(void *n) {
    long seen = atomic_fetch_add(&x, 1) + atomic_fetch_add(&y, 1) + atomic_fetch_add(&z, 1);
    return (void *)((long)n < 2 ? seen + atomic_fetch_add(&w, 1) : seen);
}
int main(void) {
    pthread_t t[5];
    for (long n = 0; n < 5; n++) pthread_create(&t[n], 0, work, (void *)n);
    for (int n = 0; n < 5; n++) pthread_join(t[n], 0);
}
C

# Of the server and all its processes that have ended, in seconds.
cpu() { awk '{ print ($14 + $15 + $16 + $17) / 100 }' "/proc/$postmaster/stat"; }

# The time and the executions of the last run.
last() { "$bin/psql" -h "$folder" -U mazurka -d postgres -Atc \
    "SELECT round(extract(epoch FROM finished_at - created_at)::numeric, 2), (SELECT sum(completed + deadlocked + failed + cut)
     FROM mazurka_tally t WHERE t.run = r.run AND t.version = r.version) FROM mazurka_run r ORDER BY run DESC LIMIT 1" | tr '|' ' '; }

# Runs a command; its CPU time, with that of its children, is written to a file.
timed() {
    local to=$1 TIMEFORMAT='%U %S'
    shift
    { time "$@" >/dev/null 2>&1; } 2>"$to" || true
}
spent() { awk '{ print $1 + $2 }' "$1"; }

median() { sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }

measure() {
    local name=$1 round
    shift
    rm -f one two ratio by share alone.cpu run.cpu worker.cpu
    for round in $(seq "$rounds"); do
        timed alone.cpu "$@"
        read -r -a one <<<"$(last)"
        sleep 1
        local before after
        timed worker.cpu "$mazurka" worker "$url" --workers 1 --idle 3s --test-binary "$rust" &
        local other=$!
        sleep 0.5
        before=$(cpu)
        timed run.cpu "$@"
        read -r -a two <<<"$(last)"
        wait $other
        sleep 1
        after=$(cpu)
        [ "${one[1]}" = "${two[1]}" ] || { echo "$name: ${one[1]} and ${two[1]} executions differ" >&2; exit 1; }
        echo "${one[0]}" >>one
        echo "${two[0]}" >>two
        awk -v a="${one[0]}" -v b="${two[0]}" 'BEGIN { printf "%.2f\n", a / b }' >>ratio
        awk -v a="$(spent alone.cpu)" -v b="$(spent run.cpu)" -v c="$(spent worker.cpu)" \
            'BEGIN { printf "%.2f\n", a / (b > c ? b : c) }' >>by
        awk -v c="$before" -v d="$after" -v b="${two[0]}" 'BEGIN { printf "%.2f\n", 100 * (d - c) / (2 * b) }' >>share
    done
    echo "| $name | ${two[1]} | $(median <one) s | $(median <two) s | $(median <ratio) ($(paste -sd' ' ratio)) |" \
        "$(median <by) ($(paste -sd' ' by)) | $(median <share) % |" | tee -a "$record"
}

{
    echo "# Two worker processes of one core each beside one, $(date +%F)"
    echo
    echo "\`bench/cluster.sh\` at $(git -C "$root" rev-parse --short HEAD), $(nproc) cores, load average before: $(cut -d' ' -f1-3 /proc/loadavg), PostgreSQL" \
        "$("$bin/postgres" --version | awk '{ print $3 }') with \`fsync\`. Median of $rounds rounds, all of them in brackets."
    echo
    echo "| program | executions | one process | two | ratio | by CPU time | server's share of two cores |"
    echo "|---|---|---|---|---|---|---|"
} | tee "$record"
export MAZURKA_WORKERS=1
measure "lastzero(${LASTZERO:-20})" "$mazurka" run lastzero "${LASTZERO:-20}" --workers 1 --cluster "$url"
measure "adds.c" "$mazurka" check adds.c --workers 1 --cluster "$url"
MAZURKA_CLUSTER=$url MAZURKA_TEST_BODY=heavy measure "a Rust test, \`heavy\`" "$rust" checked --exact --nocapture
echo "the record is $record" >&2
