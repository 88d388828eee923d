# Firefox ESR and WebKitGTK, and the X server that Firefox needs for WebGL: the browsers besides Chromium that tests drive.

# find_minibrowser: prints the path of the program that WebKitWebDriver starts, which is not in PATH.
find_minibrowser() {
  local file
  for file in /usr/lib/*/webkit2gtk-4.1/MiniBrowser /usr/libexec/webkit2gtk-4.1/MiniBrowser /usr/lib*/webkit2gtk-4.1/MiniBrowser; do
    [[ -x $file ]] || continue
    echo "$file"
    return
  done
}

find_firefox() { command -v firefox-esr || command -v firefox || true; }

other_browser_packages() {
  [[ -n $(find_firefox) ]] || echo firefox-esr
  have Xvfb || echo xvfb
  have WebKitWebDriver && [[ -n $(find_minibrowser) ]] || echo webkit2gtk-driver
  any /usr/lib{,64,/*}/libEGL.so.1 || echo libegl1
  any /usr/lib{,64,/*}/dri/swrast_dri.so || echo libgl1-mesa-dri
}

setup_browsers() {
  need_packages $(other_browser_packages)
  write_env browsers FIREFOX "$(find_firefox)" XVFB "$(command -v Xvfb)" \
    WEBKIT_DRIVER "$(command -v WebKitWebDriver)" MINIBROWSER "$(find_minibrowser)"
}
