import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const kChild = fileURLToPath(new URL('child.mjs', import.meta.url));

/** An engine in a process of its own, so that engines share no heap, compiled code or garbage. */
export class WorkerProcess {
  #child;
  #waiting;

  constructor(name, { tinyOnly = false, threads = 1, child = kChild } = {}) {
    this.name = name;
    this.tinyOnly = tinyOnly;
    this.#child = fork(child, [name, String(threads)], { serialization: 'advanced', execArgv: ['--expose-gc'] });
    this.ready = new Promise((resolve, reject) => (this.#waiting = { resolve, reject }));
    this.#child.on('message', ({ value, error }) => {
      if (error === undefined) this.#waiting.resolve(value);
      else this.#waiting.reject(new Error(error));
    });
    // The process may end before `ready` is awaited.
    this.ready.catch(() => {});
    this.#child.on('exit', (code, signal) =>
      this.#waiting.reject(new Error(`${name} ended: ${signal ?? `exit ${code}`}`)),
    );
  }

  ask(question, argument) {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      if (this.#child.connected) this.#child.send({ question, argument });
      else reject(new Error(`${this.name} has ended`));
    });
  }

  stop() {
    this.#child.kill();
  }
}
