import * as tf from 'tenure';
import { ContextSwitch } from './context.js';
import { count } from './format.js';
import { byId, chosenText, complain, explain, say, setText } from './page.js';

const kNoCollector = 'Browsers hide it: start Chrome with --js-flags=--expose-gc.';
const backendChoice = byId<HTMLSelectElement>('backend');
const context = new ContextSwitch(contextChanged);
let actions = Promise.resolve();

/** Called after the backend was changed. */
export type OnBackend = (name: string) => unknown;

/** Loads the engine, and activates the controls of the GPU and of garbage collection. */
export async function openDevice(onBackend: OnBackend = () => {}): Promise<void> {
  // These pages do not decide when work pays on the GPU: here WebGL means the GPU, however small the work.
  tf.env().set('WEBGL_CPU_FORWARD', false);
  await tf.ready();
  backendChoice.value = tf.getBackend();
  on('collect', 'click', collect);
  on('context', 'click', switchContext);
  on('backend', 'change', () => changeBackend(onBackend));
  explain('collect', globalThis.gc ? '' : kNoCollector, "Frees JavaScript's objects, not the tensors behind them.");
  showContext();
  document.querySelector('main')!.inert = false;
}

/** Runs a control's action after all earlier ones, and shows its result. */
export function on(id: string, event: string, action: () => string | Promise<string>): void {
  byId(id).addEventListener(event, () => {
    actions = actions.then(action).then(say, complain);
  });
}

export function backendName(): string {
  return chosenText(backendChoice);
}

async function collect(): Promise<string> {
  if (!globalThis.gc) return kNoCollector;
  const before = tf.memory().numTensors;
  await globalThis.gc({ type: 'major', execution: 'async' });
  const after = tf.memory().numTensors;
  return `Garbage is collected. Tensors before: ${count(before)}, after: ${count(after)}. Only dispose and scopes free them.`;
}

async function changeBackend(onBackend: OnBackend): Promise<string> {
  const isThere = await tf.setBackend(backendChoice.value);
  backendChoice.value = tf.getBackend();
  showContext();
  await onBackend(tf.getBackend());
  return isThere ? `Ops run on ${backendName()}.` : 'This browser has no WebGL2, or none that draws to floats.';
}

function switchContext(): string {
  if (context.obstacle) return context.obstacle;
  context.toggle();
  return context.isLost ? 'Asked for the context.' : 'Gave the context away.';
}

function contextChanged(): void {
  showContext();
  say(
    context.isLost
      ? 'The GPU context is lost. Outputs that only the GPU had are gone; what runs goes on, on the CPU.'
      : 'The GPU context is back. The weights went up again from their copies, and all goes on on the GPU.',
  );
}

function showContext(): void {
  setText('context', context.isLost ? 'Restore the GPU context' : 'Lose the GPU context');
  explain('context', context.obstacle, 'As a driver does when it restarts.');
}
