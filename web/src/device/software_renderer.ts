import { kSoftwareRenderers } from '../generated/boundary.js';

/** The renderer name that WebKit reports for every GPU. */
const kMaskedName = 'Apple GPU';

/** Side of the timed draw in fragments, and its multiply-adds of four lanes per fragment: 0.54 GFLOP in all. */
const kSide = 256;
const kMultiplyAdds = 1024;
const kFlops = kSide * kSide * kMultiplyAdds * 8;

/**
 * Minimum rate of a useful renderer, in FLOP/s. WebAssembly reaches 33 to 60 GFLOP/s per thread, so a slower renderer
 * is not worth its transfers. llvmpipe was measured at 20 GFLOP/s on two cores; integrated GPUs of the last ten years
 * have 250 and more.
 */
const kMinRate = 100e9;

// WebKit rounds its clock to a millisecond, and a GPU that has been idle takes a moment to speed up.
const kRuns = 3;

const kVertexShader = `#version 300 es
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0, 1); }`;

// The count is a uniform, so that the shader compiler cannot evaluate the loop.
const kFragmentShader = `#version 300 es
precision highp float;
uniform int count;
out vec4 color;
void main() {
  color = vec4(gl_FragCoord.xy, 1, 2) * 0.001;
  for (int i = 0; i < count; i++) color = color * 0.999 + 0.001;
}`;

/**
 * True if the context renders on the CPU, where our own kernels are faster. Most browsers report it in the renderer's
 * name. WebKit masks the name, and creates software contexts in spite of failIfMajorPerformanceCaveat, so there the
 * context is timed. It is not timed on Apple's systems, where every GPU is hardware.
 */
export function isSoftwareRenderer(context: WebGL2RenderingContext): boolean {
  const unmasked = context.getExtension('WEBGL_debug_renderer_info')?.UNMASKED_RENDERER_WEBGL;
  const renderer = String(context.getParameter(unmasked ?? context.RENDERER));
  if (kSoftwareRenderers.some((name) => renderer.includes(name))) return true;
  return renderer === kMaskedName && !isAppleSystem() && isSlow(context);
}

function isAppleSystem(): boolean {
  return /^(Mac|iP)/.test(navigator.platform);
}

/** True if the context computes fewer than kMinRate FLOP/s. Leaves it without bindings. */
function isSlow(gl: WebGL2RenderingContext): boolean {
  const program = makeProgram(gl);
  const target = gl.createRenderbuffer();
  const frame = gl.createFramebuffer();
  gl.useProgram(program);
  gl.bindRenderbuffer(gl.RENDERBUFFER, target);
  gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, kSide, kSide);
  gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
  gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, target);
  gl.viewport(0, 0, kSide, kSide);
  const count = gl.getUniformLocation(program, 'count');
  const draw = (multiplyAdds: number) => {
    const start = performance.now();
    gl.uniform1i(count, multiplyAdds);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    // Blocks until the draw has finished.
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    return performance.now() - start;
  };
  // The first draw compiles the shaders.
  draw(1);
  const limit = (1000 * kFlops) / kMinRate;
  let slow = true;
  for (let run = 0; run < kRuns && slow; run++) slow = draw(kMultiplyAdds) > limit;
  gl.deleteFramebuffer(frame);
  gl.deleteRenderbuffer(target);
  gl.deleteProgram(program);
  gl.useProgram(null);
  return slow;
}

function makeProgram(gl: WebGL2RenderingContext): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, kVertexShader],
    [gl.FRAGMENT_SHADER, kFragmentShader],
  ] as const) {
    const shader = gl.createShader(type);
    if (!shader) continue;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    gl.deleteShader(shader);
  }
  gl.linkProgram(program);
  return program;
}
