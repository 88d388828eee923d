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
  for candidate in "$(command -v emcc || true)" "${EMSDK:+$EMSDK/upstream/emscripten/emcc}" \
    "$PREFIX/debian/usr/share/emscripten/emcc"; do
    if usable_emcc "$candidate"; then
      printf '%s\n' "$candidate"
      return
    fi
  done
}

install_emcc() {
  local root=$PREFIX/debian
  have apt-get || fail "no emcc >= $EMCC_MIN on PATH or in EMSDK: please install the Emscripten SDK"
  if at_least "$EMCC_MIN" "$(candidate emscripten)"; then
    need_packages emscripten
    return
  fi
  need_packages "clang-$LLVM" "lld-$LLVM" "llvm-$LLVM" python3 binutils
  if [[ ! -e $root/.complete ]]; then
    say "downloading Emscripten $EMCC_MIN from Debian, 60 MB"
    rm -rf "$root"
    unpack_from trixie "$root" emscripten binaryen libc6 libstdc++6 libgcc-s1
    rm -rf "$root"/usr/share/emscripten/{test,docs,media} "$root"/usr/share/{doc,man,locale}
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
CACHE = '$PREFIX/emcache'
CONFIG
}

# Emscripten's JavaScript optimizer imports acorn from a parent folder, and --emit-tsd calls tsc.
need_node_tools() {
  [[ -e $PREFIX/node_modules/acorn/package.json && -x $PREFIX/node_modules/.bin/tsc ]] && return
  say "installing acorn and TypeScript for Emscripten"
  npm install --silent --no-save --no-package-lock --prefix "$PREFIX" acorn@8.14.0 typescript@5.9.3 \
    >"$PREFIX/npm.log" 2>&1 || fail "npm could not install acorn and typescript, see $PREFIX/npm.log"
}

# The first link of a program builds the system libraries; do it once, here, where it can be announced.
warm_cache() {
  local emcc=$1 folder
  [[ -e $PREFIX/emcache/.warm ]] && return
  say "building Emscripten's system libraries, about a minute"
  folder=$(mktemp -d)
  printf '#include <cstdio>\nint main() { std::puts("ready"); }\n' >"$folder/hello.cpp"
  (cd "$folder" && "${emcc%emcc}em++" hello.cpp -o hello.js -O2 -fwasm-exceptions -msimd128 -lembind &&
    [[ $(node hello.js) == ready ]]) >"$PREFIX/emcc.log" 2>&1 || fail "emcc does not work, see $PREFIX/emcc.log"
  rm -rf "$folder"
  touch "$PREFIX/emcache/.warm"
}

setup_wasm() {
  local emcc
  emcc=$(find_emcc)
  if [[ -z $emcc ]]; then
    install_emcc
    emcc=$(find_emcc)
    [[ -n $emcc ]] || fail "the installed emcc does not run"
  fi
  export EM_CACHE=$PREFIX/emcache
  mkdir -p "$EM_CACHE"
  need_node_tools
  warm_cache "$emcc"
  write_env wasm EMCC "$emcc" EM_CACHE "$EM_CACHE"
}
