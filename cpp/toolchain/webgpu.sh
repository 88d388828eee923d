# Dawn as a module of Node and as a library of C++, for the tests of WebGPU: npm packages that tests/webgpu pins. They run on the
# software renderer of Debian's Chromium, unless the system has a GPU's driver for Vulkan.

setup_webgpu() {
  local pinned=$here/../../tests/webgpu root=$PREFIX/webgpu chromium=/usr/lib/chromium packages variables=()
  [[ -e $chromium/vk_swiftshader_icd.json ]] || need_packages chromium
  mkdir -p "$root"
  cp "$pinned/package.json" "$pinned/package-lock.json" "$root"
  (cd "$root" && download npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >"$PREFIX/npm.log" 2>&1) ||
    fail "npm ci failed, see $PREFIX/npm.log"
  packages=$root/node_modules
  variables+=(TENURE_WEBGPU "$packages/webgpu")
  [[ -e $packages/bun-webgpu-linux-x64 ]] &&
    variables+=(TENURE_DAWN "$packages/bun-webgpu-linux-x64/libwebgpu_wrapper.so")
  # Dawn finds Vulkan's loader by its name once a process has loaded it. Chromium's folder has other libraries besides, which
  # no process should find before the system's.
  variables+=(TENURE_VULKAN "$chromium/libvulkan.so.1" VK_ICD_FILENAMES "$chromium/vk_swiftshader_icd.json")
  write_env webgpu "${variables[@]}"
}
