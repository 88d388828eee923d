import * as tf from 'tenure';

/** Loses the engine's WebGL context, as a driver may at any time, and restores it. */
export class ContextSwitch {
  isLost = false;
  // Obtained before the loss: a lost context returns no extensions.
  #extension: WEBGL_lose_context | null = null;

  /** `onChange` is called when the engine has noticed. */
  constructor(onChange: () => void) {
    tf.onContextChange((event) => {
      this.isLost = event === 'lost';
      onChange();
    });
  }

  /** Why the context cannot be lost now; empty if it can. */
  get obstacle(): string {
    if (tf.getBackend() !== 'webgl') return 'Only the WebGL backend has a context to lose.';
    this.#extension ??= tf.backend().getGPGPUContext().gl.getExtension('WEBGL_lose_context');
    return this.#extension ? '' : 'This browser has no WEBGL_lose_context.';
  }

  toggle(): void {
    if (this.isLost) this.#extension?.restoreContext();
    else this.#extension?.loseContext();
  }
}
