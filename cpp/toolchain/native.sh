# The native compiler, the linters, and Catch2.

# tool NAME: prints the command that runs LLVM's tool NAME, in the version that builds use or a later one.
tool() {
  local candidate version
  for candidate in "$1-$LLVM" "$1"; do
    have "$candidate" || continue
    version=$("$candidate" --version | sed -n 's/.*version \([0-9.]\+\).*/\1/p' | head -n1)
    at_least "$LLVM" "$version" && command -v "$candidate" && return
  done
  return 0
}

# Succeeds if the compiler has all libraries that -fsanitize links, which Debian keeps in a separate package.
can_sanitize() {
  local cxx
  cxx=$(tool clang++)
  [[ -n $cxx ]] || return 1
  echo 'int main() {}' | "$cxx" -x c++ -fsanitize=address,undefined -o /dev/null - >/dev/null 2>&1
}

# any FILE...: succeeds if one of these files exists.
any() {
  local file
  for file in "$@"; do [[ -e $file ]] && return; done
  return 1
}

native_packages() {
  [[ -n $(tool clang++) && -n $(tool clang) ]] || echo "clang-$LLVM"
  can_sanitize || echo "libclang-rt-$LLVM-dev"
  [[ -n $(tool ld.lld) ]] || echo "lld-$LLVM"
  [[ -n $(tool llvm-symbolizer) ]] || echo "llvm-$LLVM"
  [[ -n $(tool clang-format) ]] || echo "clang-format-$LLVM"
  [[ -n $(tool clang-tidy) ]] || echo "clang-tidy-$LLVM"
  # The GPU backend's headers, and Mesa for machines without a GPU.
  [[ -e /usr/include/EGL/egl.h ]] && any /usr/lib{,64,/*}/libEGL.so || echo libegl-dev
  [[ -e /usr/include/GLES3/gl3.h ]] && any /usr/lib{,64,/*}/libGLESv2.so || echo libgles-dev
  any /usr/lib{,64,/*}/libEGL_mesa.so.0 || echo libegl-mesa0
  any /usr/lib{,64,/*}/dri/swrast_dri.so || echo libgl1-mesa-dri
}

# Prints the version of a package that Debian would install, or has installed.
candidate() { apt-cache policy "$1" 2>/dev/null | awk '$1 == "Candidate:" { print $2 }'; }

# Catch2 3 builds the tests several times faster than 2, whose single header is compiled with every test.
need_catch2() {
  local root=$PREFIX/catch2 config
  for config in /usr/{local/,}{lib,share,lib/*}/cmake/Catch2/Catch2ConfigVersion.cmake; do
    grep -qs 'PACKAGE_VERSION "3' "$config" && return
  done
  [[ -e $root/.complete ]] && return
  have apt-get || fail "please install Catch2 3"
  if [[ -n $(candidate libcatch2-dev) ]]; then
    need_packages libcatch2-dev
    return
  fi
  . /etc/os-release
  say "downloading Catch2"
  if (unpack_from "$VERSION_CODENAME-backports" "$root" libcatch2-dev); then
    touch "$root/.complete"
  else
    need_packages catch2
  fi
}

setup_native() {
  need_build_tools
  need_packages $(native_packages)
  can_sanitize || fail "$(tool clang++) cannot link with -fsanitize=address,undefined: please install its sanitizer runtime"
  need_catch2
  write_env native CC "$(tool clang)" CXX "$(tool clang++)" \
    CLANG_FORMAT "$(tool clang-format)" CLANG_TIDY "$(tool clang-tidy)" \
    ASAN_SYMBOLIZER_PATH "$(tool llvm-symbolizer)" Catch2_ROOT "$PREFIX/catch2/usr"
}
