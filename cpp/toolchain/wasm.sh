# Finds an emcc that is new enough, or unpacks one of Debian's into the private prefix.

emcc_version() { "$1" --version 2>/dev/null | sed -n '1s/.* \([0-9]\+\.[0-9]\+\.[0-9]\+\).*/\1/p'; }

usable_emcc() {
  [[ -n $1 && -x $1 ]] || return 1
  local version
  version=$(emcc_version "$1")
  [[ -n $version ]] && at_least "$EMCC_MIN" "$version"
}

find_emcc() {
  local candidate
  for candidate in "$(command -v emcc || true)" "${EMSDK:+$EMSDK/upstream/emscripten/emcc}"; do
    if usable_emcc "$candidate"; then
      printf '%s\n' "$candidate"
      return
    fi
  done
}

# Sets the caller's $emcc.
install_emcc() {
  local root=$PREFIX/debian
  emcc=$root/usr/share/emscripten/emcc
  have apt-get || fail "no emcc >= $EMCC_MIN on PATH or in EMSDK: please install the Emscripten SDK"
  if at_least "$EMCC_MIN" "$(candidate emscripten)"; then
    need_packages emscripten
    emcc=$(find_emcc)
    return
  fi
  need_packages "clang-$LLVM" "lld-$LLVM" "llvm-$LLVM" python3 binutils
  if [[ ! -e $root/.complete ]]; then
    say "downloading Emscripten $EMCC_MIN from Debian, 250 MB"
    rm -rf "$root"
    unpack_from trixie "$root" emscripten binaryen libc6 libstdc++6 libgcc-s1
    # Debian's shared-library variants of the system libraries are half of the unpacked size; the other files are
    # documentation.
    rm -rf "$root"/usr/share/emscripten/{test,docs,media,cache/sysroot/lib/*/{pic,lto-pic}} \
      "$root"/usr/share/{doc,man,locale}
    touch "$root/.complete"
  fi
  wrap_binaryen "$root"
  configure_emcc "$root"
}

# The unpacked tools want a newer libc than the system's, so each starts through the loader unpacked with them.
wrap_binaryen() {
  local root=$1 loader lib tool
  loader=$(echo "$root"/usr/lib/*/ld-linux-*.so.*)
  lib=${loader%/*}
  mkdir -p "$PREFIX/binaryen/bin"
  for tool in "$root"/usr/bin/wasm*; do
    printf '#!/bin/sh\nexec %q --library-path %q %q "$@"\n' "$loader" "$lib:$lib/binaryen" "$tool" \
      >"$PREFIX/binaryen/bin/${tool##*/}"
  done
  chmod +x "$PREFIX/binaryen/bin/"*
}

configure_emcc() {
  cat >"$1/usr/share/emscripten/.emscripten" <<CONFIG
LLVM_ROOT = '/usr/lib/llvm-$LLVM/bin'
BINARYEN_ROOT = '$PREFIX/binaryen'
NODE_JS = '$(command -v node)'
CACHE = '$1/usr/share/emscripten/cache'
CONFIG
}

# Emscripten's JavaScript optimizer imports acorn from a parent folder, and --emit-tsd calls tsc.
need_node_tools() {
  [[ -e $PREFIX/node_modules/acorn/package.json && -x $PREFIX/node_modules/.bin/tsc ]] && return
  say "installing acorn and TypeScript for Emscripten"
  npm install --silent --no-save --no-package-lock --prefix "$PREFIX" acorn@8.14.0 typescript@5.9.3 \
    >"$PREFIX/npm.log" 2>&1 || fail "npm could not install acorn and typescript, see $PREFIX/npm.log"
}

# Verifies that the whole chain works now, instead of failing in the middle of a build. Debian's package contains built
# system libraries; any other Emscripten builds those that the engine uses.
try_emcc() {
  local emcc=$1 folder
  folder=$(mktemp -d)
  printf '#include <cstdio>\nint main() { std::puts("ready"); }\n' >"$folder/hello.cpp"
  (cd "$folder" && "${emcc%emcc}em++" hello.cpp -o hello.js -O2 -fwasm-exceptions -msimd128 -lembind &&
    [[ $(node hello.js) == ready ]]) >"$PREFIX/emcc.log" 2>&1 || fail "$emcc does not work, see $PREFIX/emcc.log"
  rm -rf "$folder"
}

# Prints the clang that em++ calls for objects, and the options that it adds, as one line. The first command that -v
# shows is `"clang++" options -v given...`.
clang_command() {
  local folder
  folder=$(mktemp -d)
  echo 'int x;' >"$folder/x.cpp"
  (cd "$folder" && "${1%emcc}em++" -v -fwasm-exceptions -c x.cpp -o x.o 2>&1) | sed -n 's/^ *\(.*clang++"\? .*\) -v -fwasm-exceptions .*/\1/p' | head -n1
  rm -rf "$folder"
}

setup_wasm() {
  local emcc
  need_build_tools
  emcc=$(find_emcc)
  [[ -n $emcc ]] || install_emcc
  [[ -n $emcc ]] || fail "the installed emcc does not run"
  need_node_tools
  if [[ $emcc == "$PREFIX"/* ]]; then
    EM_CACHE=$(dirname "$emcc")/cache
  else
    EM_CACHE=$PREFIX/emcache
    say "building Emscripten's system libraries, about a minute the first time"
  fi
  export EM_CACHE
  try_emcc "$emcc"
  local command
  command=$(clang_command "$emcc" | tr -d '"')
  [[ -n $command ]] || fail "$emcc does not say with -v how it calls clang"
  write_env wasm EMCC "$emcc" EM_CACHE "$EM_CACHE" WASM_CXX "${command%% *}" WASM_FLAGS "${command#* }"
}
