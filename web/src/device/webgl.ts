import { wasm } from '../runtime/runtime.js';
import { notifyContextListeners } from './context_events.js';
import { isSoftwareRenderer } from './software_renderer.js';

export type Canvas = HTMLCanvasElement | OffscreenCanvas;
let canvas: Canvas | undefined;
/** A context that was created and that the engine does not use yet. */
let pendingContext: { canvas: Canvas; context: WebGL2RenderingContext } | undefined;

/**
 * True if WebGL2 is available. With `onlyHardware`, a software renderer does not count, as our own CPU kernels are
 * faster. Keeps the context for startWebgl().
 */
export function hasWebgl(onlyHardware: boolean): boolean {
  if (canvas) return true;
  pendingContext ??= makeContext(onlyHardware);
  return pendingContext !== undefined;
}

/**
 * Starts the engine on the context that hasWebgl() created, unless it was started before. Returns false if the engine
 * cannot use the context.
 */
export function startWebgl(): boolean {
  if (canvas) return true;
  const { canvas: target, context } = pendingContext!;
  pendingContext = undefined;
  const handle = wasm.GL.registerContext(context, {
    majorVersion: 2,
    minorVersion: 0,
    enableExtensionsByDefault: 0,
  }) as number;
  if (!wasm.glInit(handle)) {
    wasm.glStop();
    wasm.GL.deleteContext(handle);
    releaseContext(context);
    return false;
  }
  canvas = target;
  listen(target, handle);
  return true;
}

function listen(target: EventTarget, handle: number): void {
  target.addEventListener('webglcontextlost', (event) => {
    // Without this, the context is never restored.
    event.preventDefault();
    wasm.glLose();
    notifyContextListeners('lost');
  });
  target.addEventListener('webglcontextrestored', () => {
    if (wasm.glInit(handle)) notifyContextListeners('restored');
  });
}

function makeContext(onlyHardware: boolean): typeof pendingContext {
  // jsdom has no WebGL, and its getContext() logs an error.
  if (typeof WebGL2RenderingContext === 'undefined') return undefined;
  for (const makeCanvas of [makeOffscreenCanvas, makePageCanvas]) {
    const created = makeCanvas();
    const context = created?.getContext('webgl2', {
      alpha: true,
      antialias: false,
      depth: false,
      stencil: false,
      desynchronized: true,
      failIfMajorPerformanceCaveat: onlyHardware,
      powerPreference: 'high-performance',
      premultipliedAlpha: false,
      preserveDrawingBuffer: false,
    });
    if (!created || !isWebgl2(context)) continue;
    if (!onlyHardware || !isSoftwareRenderer(context)) return { canvas: created, context };
    releaseContext(context);
    return undefined;
  }
  return undefined;
}

function releaseContext(context: WebGL2RenderingContext): void {
  context.getExtension('WEBGL_lose_context')?.loseContext();
}

/** Returns the canvas of the engine's context, or undefined if there is none. */
export function webglCanvas(): Canvas | undefined {
  return canvas;
}

/** Returns the engine's WebGL context, or undefined if there is none. */
export function webglContext(): WebGL2RenderingContext | undefined {
  return (canvas?.getContext('webgl2') as WebGL2RenderingContext | null) ?? undefined;
}

/**
 * True for a WebGL2 context. A check, not a cast, as how tsc resolves getContext() of a union depends on the order in
 * which it reads files.
 */
function isWebgl2(
  context: RenderingContext | OffscreenRenderingContext | null | undefined,
): context is WebGL2RenderingContext {
  return context instanceof WebGL2RenderingContext;
}

function makeOffscreenCanvas(): Canvas | undefined {
  return typeof OffscreenCanvas === 'undefined' ? undefined : new OffscreenCanvas(1, 1);
}

/**
 * Creates a canvas that is never shown, for browsers whose OffscreenCanvas has no WebGL2: Safari 16.4 to 16.6 and
 * WebKitGTK. Returns undefined in workers.
 */
function makePageCanvas(): Canvas | undefined {
  return typeof document === 'undefined' ? undefined : document.createElement('canvas');
}
