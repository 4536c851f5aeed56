#!/bin/sh
# Runs Comity as one of the crawlers of a benchmark that tells each of them in its environment what to do:
#
#   BENCH_SEEDS     a file with one start URL a line
#   BENCH_OUT       a directory for all it writes; the same one again makes it go on
#   BENCH_DELAY     seconds between two requests to one host
#   BENCH_GLOBAL    requests in flight in all (otherwise 256)
#   BENCH_PERHOST   requests in flight to one host (otherwise 5)
#   BENCH_UA        not used: Comity always tells a site its own name
#
# Its sites are on this machine, so seeds of the file may lead there (--allow-private).
# It follows links between all seeds' hosts, keeps its memory on disk as always, and ends by itself.
set -eu
home=$(cd "$(dirname "$0")/.." && pwd -P)
if [ -n "${BENCH_GLOBAL:-}" ]; then export COMITY_MAX_IN_FLIGHT="$BENCH_GLOBAL"; fi
if [ -n "${BENCH_PERHOST:-}" ]; then export COMITY_CONCURRENCY="$BENCH_PERHOST"; fi
exec "$home/comity" crawl --quiet --data "$BENCH_OUT/data" --delay "${BENCH_DELAY}s" \
  --max-pages 10000000 --max-pages-per-domain 1000000 --allow-private --seeds "$BENCH_SEEDS"
