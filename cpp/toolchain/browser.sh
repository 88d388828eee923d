# Chromium for the browser tests.

find_chromium() {
  local name
  for name in chromium google-chrome; do
    if have "$name"; then
      command -v "$name"
      return
    fi
  done
}

setup_browser() {
  [[ -n $(find_chromium) ]] || need_packages chromium
  write_env browser CHROMIUM "$(find_chromium)"
}
