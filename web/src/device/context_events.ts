/** A change of the GPU: 'lost' when everything on it is gone, 'restored' when it can be used again. */
export type ContextEvent = 'lost' | 'restored';

const listeners = new Set<(event: ContextEvent) => void>();

/**
 * Calls `listener` whenever the WebGL context or the WebGPU device is lost or restored. Returns a function that removes the
 * listener. While it is lost, ops run on the CPU. Values that were only on the GPU are lost, and using them throws
 * ContextLostError. Values that are on the CPU too, such as weights of models, stay usable.
 * @example
 * const stop = tf.onContextChange((event) => console.log(`the GPU was ${event}`));
 * typeof stop; // 'function'
 * stop();
 */
export function onContextChange(listener: (event: ContextEvent) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function notifyContextListeners(event: ContextEvent): void {
  for (const listener of [...listeners]) listener(event);
}
