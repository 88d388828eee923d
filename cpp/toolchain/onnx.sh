# ONNX's own test cases.

setup_onnx() {
  local data=/usr/share/libonnx-testdata/data
  [[ -d $data ]] || need_packages libonnx-testdata
  write_env onnx ONNX_TEST_DATA "$data"
}
