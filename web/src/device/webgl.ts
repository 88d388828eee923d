import { wasm } from '../runtime/runtime.js';
import { isSoftwareRenderer } from './software_renderer.js';

/** 'lost' when the GPU has let go of everything, 'restored' when it computes again. */
export type ContextEvent = 'lost' | 'restored';

export type Canvas = HTMLCanvasElement | OffscreenCanvas;
const listeners = new Set<(event: ContextEvent) => void>();
let canvas: Canvas | undefined;
/** A context that nothing computes in yet. */
let made: { canvas: Canvas; context: WebGL2RenderingContext } | undefined;

/**
 * Calls `listener` whenever the WebGL context is lost or restored; gives a function that ends this. Meanwhile ops run
 * on the CPU. Values that were on the GPU alone are lost, and using them throws ContextLostError; weights of models and
 * whatever else is on the CPU too go on.
 * @example
 * const stop = tf.onContextChange((event) => console.log(`the GPU was ${event}`));
 * typeof stop; // 'function'
 * stop();
 */
export function onContextChange(listener: (event: ContextEvent) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/**
 * Whether there is WebGL2 to be had; with `onlyHardware` a rasterizer on the CPU is none, as our own CPU kernels are faster.
 * Keeps the context for startWebgl().
 */
export function hasWebgl(onlyHardware: boolean): boolean {
  if (canvas) return true;
  made ??= makeContext(onlyHardware);
  return made !== undefined;
}

/** Lets the engine compute in the WebGL2 context that there is to be had, unless it does. False where it cannot. */
export function startWebgl(): boolean {
  if (canvas) return true;
  const { canvas: target, context } = made!;
  made = undefined;
  const handle = wasm.GL.registerContext(context, { majorVersion: 2, minorVersion: 0, enableExtensionsByDefault: 0 }) as number;
  if (!wasm.glInit(handle)) {
    wasm.glStop();
    wasm.GL.deleteContext(handle);
    giveBack(context);
    return false;
  }
  canvas = target;
  listen(target, handle);
  return true;
}

function listen(target: EventTarget, handle: number): void {
  target.addEventListener('webglcontextlost', (event) => {
    // Otherwise it is never restored.
    event.preventDefault();
    wasm.glLose();
    tell('lost');
  });
  target.addEventListener('webglcontextrestored', () => {
    if (wasm.glInit(handle)) tell('restored');
  });
}

function makeContext(onlyHardware: boolean): typeof made {
  // jsdom has no WebGL, and its canvas complains on the console when it is asked for a context.
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
    giveBack(context);
    return undefined;
  }
  return undefined;
}

function giveBack(context: WebGL2RenderingContext): void {
  context.getExtension('WEBGL_lose_context')?.loseContext();
}

/** The canvas of the engine's context. */
export function canvasOf(): Canvas | undefined {
  return canvas;
}

/** The engine's context, for what draws with it; undefined where there is none. */
export function webglContext(): WebGL2RenderingContext | undefined {
  return (canvas?.getContext('webgl2') as WebGL2RenderingContext | null) ?? undefined;
}

function tell(event: ContextEvent): void {
  for (const listener of [...listeners]) listener(event);
}

/** A check, as how tsc resolves getContext() of a union depends on the order in which it reads files. */
function isWebgl2(context: RenderingContext | OffscreenRenderingContext | null | undefined): context is WebGL2RenderingContext {
  return context instanceof WebGL2RenderingContext;
}

function makeOffscreenCanvas(): Canvas | undefined {
  return typeof OffscreenCanvas === 'undefined' ? undefined : new OffscreenCanvas(1, 1);
}

/**
 * A canvas that is never shown, where an OffscreenCanvas gives no WebGL2: Safari 16.4 to 16.6 and WebKitGTK. Undefined in
 * workers.
 */
function makePageCanvas(): Canvas | undefined {
  return typeof document === 'undefined' ? undefined : document.createElement('canvas');
}
