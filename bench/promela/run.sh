#!/bin/sh
# Mazurka beside SPIN's verifiers, on the models of this folder: states a second of processor time, and bytes for a state.
# Usage: bench/promela/run.sh [MAZURKA]        (needs spin, gcc and jq; the models have 100,000 to 3,000,000 states)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mazurka=${1:-"$here/../../target/release/mazurka"}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# seconds NAME COMMAND...: processor time of a command, whose output is kept.
seconds() {
	out=$1
	shift
	/usr/bin/env bash -c 'TIMEFORMAT="%U %S"; time "$@" >"$0" 2>/dev/null' "$out" "$@" 2>&1 | awk '{ print $1 + $2 }'
}

printf '%-14s %10s %12s %12s %12s %8s %8s\n' model states 'pan/s' 'mazurka/s' 'two cores' 'pan B' 'B'
for model in "$here"/models/*.pml; do
	name=$(basename "$model" .pml)
	cd "$work" && cp "$model" model.pml
	spin -o3 -a model.pml >/dev/null
	gcc -w -O2 -DSAFETY -DNOREDUCE -DMEMLIM=8000 -o plain pan.c
	gcc -w -O2 -DSAFETY -DNOREDUCE -DMEMLIM=8000 -DCOLLAPSE -o collapse pan.c
	pan=$(seconds pan.txt ./plain -c0 -m2000000 -w22)
	./collapse -c0 -m2000000 -w22 >collapse.txt
	one=$(seconds one.json "$mazurka" verify model.pml --safety --keep-going --workers 1 --json || true)
	"$mazurka" verify model.pml --safety --keep-going --workers 2 --json >two.json || true
	states=$(jq '.checks[0].states' one.json)
	bytes=$(jq '.checks[0] | .memory_bytes / .states | floor' one.json)
	two=$(jq '.checks[0] | .states / .seconds | floor' two.json)
	stored=$(sed -n 's/.*as stored = \([0-9]*\) byte + \([0-9]*\) byte.*/\1 \2/p' collapse.txt | awk '{ print $1 + $2 }')
	awk -v n="$name" -v s="$states" -v p="$pan" -v o="$one" -v t="$two" -v b="$bytes" -v c="${stored:-?}" \
		'BEGIN { printf "%-14s %10d %12d %12d %12d %8s %8s\n", n, s, s / p, s / o, t, c, b }'
done
