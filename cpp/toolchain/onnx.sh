# ONNX's own test cases, those of Debian 13: Debian 12's end at version 17 of the op set.

setup_onnx() {
  local root=$PREFIX/onnx
  if [[ ! -e $root/.complete ]]; then
    say "downloading ONNX's test cases from Debian, 7 MB"
    rm -rf "$root"
    unpack_from trixie "$root" libonnx-testdata
    touch "$root/.complete"
  fi
  write_env onnx ONNX_TEST_DATA "$root/usr/share/libonnx-testdata/data"
}
