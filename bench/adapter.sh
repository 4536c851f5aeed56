#!/bin/sh
# Runs Comity as one of the crawlers of a benchmark that tells each of them in its environment what to do:
#
#   BENCH_SEEDS     a file with one start URL a line
#   BENCH_OUT       a directory for all it writes; the same one again makes it go on
#   BENCH_DELAY     seconds between two requests to one host
#   BENCH_GLOBAL    requests in flight in all, and BENCH_PERHOST to one host: Comity's own limits are 256 and 5
#
# It follows links between all seeds' hosts, keeps its memory on disk as always, and ends by itself.
set -eu
home=$(cd "$(dirname "$0")/.." && pwd -P)
# shellcheck disable=SC2046 # one URL a line, and no URL has a blank in it
exec "$home/comity" crawl --quiet --data "$BENCH_OUT/data" --delay "${BENCH_DELAY}s" \
  --max-pages 10000000 --max-pages-per-domain 1000000 $(cat "$BENCH_SEEDS")
