#!/usr/bin/env bash
# Finds or installs what Tenure is built and tested with: a native clang, CMake, Catch2, and Emscripten.
# Usage: setup.sh [--native | --wasm | --browser | --browsers | --onnx | --webgpu]; then `. $PREFIX/env.sh`, whose path it prints with --print-env.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/common.sh"
. "$here/native.sh"
. "$here/wasm.sh"
. "$here/browser.sh"
. "$here/browsers.sh"
. "$here/onnx.sh"
. "$here/webgpu.sh"

parts=(native wasm)
case ${1:-} in
  '') ;;
  --native) parts=(native) ;;
  --wasm) parts=(wasm) ;;
  --browser) parts=(browser) ;; # only on demand
  --browsers) parts=(browsers) ;; # only on demand: Firefox and WebKitGTK
  --onnx) parts=(onnx) ;; # only on demand: test cases
  --webgpu) parts=(webgpu) ;; # only on demand: Dawn
  --print-env)
    echo "$PREFIX/env.sh"
    exit
    ;;
  *) fail "usage: setup.sh [--native | --wasm | --browser | --browsers | --onnx | --webgpu | --print-env]" ;;
esac

# A part is up to date while these scripts, the prefix and the emcc found outside it are unchanged.
key=$(cat "$here"/*.sh | cksum | tr ' ' -):$PREFIX:$(command -v emcc || true):${EMSDK:-}
up_to_date() {
  local part
  for part in "${parts[@]}"; do
    [[ -r $PREFIX/env.$part.sh && $(head -n1 "$PREFIX/env.$part.sh") == "# $key" ]] || return 1
  done
}

# write_env PART NAME VALUE...: writes one `export NAME='VALUE'` a line, which CMake and Node read too.
write_env() {
  local part=$1
  shift
  {
    printf '# %s\n' "$key"
    while (($#)); do
      printf "export %s='%s'\n" "$1" "$2"
      shift 2
    done
  } >"$PREFIX/env.$part.sh"
  cat "$PREFIX"/env.{native,wasm,browser,browsers,onnx,webgpu}.sh >"$PREFIX/env.sh" 2>/dev/null || true
}

up_to_date && exit
mkdir -p "$PREFIX"
if have flock; then
  exec 9>"$PREFIX/lock"
  flock 9
  up_to_date && exit
fi
have node || fail "please install Node.js >= $NODE_MIN"
at_least "$NODE_MIN" "$(node -p process.versions.node)" || fail "Node.js >= $NODE_MIN is needed, this is $(node -v)"
say "setting up ${parts[*]} in $PREFIX; on a bare machine one to two minutes, and what half a gigabyte takes to download"
: >"$PREFIX/download_seconds"
for part in "${parts[@]}"; do "setup_$part"; done
say "ready after $SECONDS s, $(awk '{ sum += $1 } END { print sum + 0 }' "$PREFIX/download_seconds") s of them downloading"
