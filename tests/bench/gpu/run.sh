#!/bin/sh
# Measures this machine's GPU and writes results/: ./run.sh [--quick] [--out FOLDER]
here=$(dirname "$0")
if ! "$here/bin/node" --version >/dev/null 2>&1; then
  # For a machine without a C++ library. Only Node gets this one: a driver may need a later one.
  LD_LIBRARY_PATH="$here/lib/c++${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" exec "$here/bin/node" "$here/run.mjs" "$@"
fi
exec "$here/bin/node" "$here/run.mjs" "$@"
