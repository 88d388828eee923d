// The imports of webgpu/device/platform_web.cpp: web/src/device/webgpu.ts sets the module's `gpu` before the first call.
addToLibrary({
  gpu_close: () => Module['gpu'].close(),
  gpu_limit: (which) => Module['gpu'].limit(which),
  gpu_create_buffer: (bytes, use) => Module['gpu'].createBuffer(bytes, use),
  gpu_destroy_buffer: (buffer) => Module['gpu'].destroyBuffer(buffer),
  gpu_write_buffer: (buffer, offset, from, bytes) => Module['gpu'].writeBuffer(buffer, offset, from, bytes),
  gpu_create_pipeline: (wgsl, length, inputs) => Module['gpu'].createPipeline(wgsl, length, inputs),
  gpu_create_bind_group: (buffers, count) => Module['gpu'].createBindGroup(buffers, count),
  gpu_release: (group) => Module['gpu'].release(group),
  gpu_dispatch: (pipeline, group, offset, x, y, z) => Module['gpu'].dispatch(pipeline, group, offset, x, y, z),
  gpu_submit: () => Module['gpu'].submit(),
  gpu_start_read: (buffer, bytes) => Module['gpu'].startRead(buffer, bytes),
  gpu_read_state: (read) => Module['gpu'].readState(read),
  gpu_finish_read: (read, to) => Module['gpu'].finishRead(read, to),
  gpu_end_read: (read) => Module['gpu'].endRead(read),
  gpu_read_now: (buffer, to, bytes) => Module['gpu'].readNow(buffer, to, bytes),
});
