import { attributeFrees, attributeFreesToOp, opened, describeOpening, onScopeReturn } from '../debug/ledger.js';
import { raise, wasm } from '../runtime/runtime.js';
import { endFrame, syncCurrentScope, frame, kOpening, startFrame } from '../runtime/async_scope_tracking.js';
import { Tensor, disposed } from '../tensor/tensor.js';

/** A tensor, or anything through which tensors can be reached: arrays, objects, class instances, Map and Set. */
export type TensorContainer = unknown;
/** `T`, or never if all of its values are primitive, which hold no tensors. */
export type WithoutPrimitives<T> = [Exclude<T, string | number | boolean | bigint | symbol>] extends [never]
  ? never
  : T;
/** An object whose fields hold tensors or containers of tensors. */
export type TensorContainerObject = Record<string, TensorContainer>;
/** An array of tensors or containers of tensors. */
export type TensorContainerArray = TensorContainer[];

/** Base class of objects that own tensors and free them when they are disposed. */
export abstract class Holder {
  abstract [Symbol.dispose](): void;
}

/**
 * Runs `fn`, then frees every tensor made inside that is neither kept nor reachable from the result: through arrays,
 * objects, class instances, Map and Set. When `fn` throws, everything not kept is freed and the error is rethrown.
 * @example
 * const image = tf.tensor([0, 127.5, 255]);
 * const y = tf.tidy(() => {
 *   const scaled = image.div(127.5); // freed at the end
 *   return scaled.sub(1);            // returned: yours
 * });
 * y; // [-1, 0, 1]
 * tf.memory().numTensors; // 2: image and y
 * tf.dispose([image, y]);
 */
export function tidy<T>(fn: () => T): T;
/** Runs `fn`, then frees every tensor made inside that is neither kept nor reachable from the result. Reports show the name. */
export function tidy<T>(name: string, fn: () => T): T;
/** Overload for functions that pass on a name or a function, as TensorFlow.js declares tidy(). */
export function tidy<T>(nameOrFn: string | (() => T), fn: (() => T) | undefined): T;
export function tidy<T>(nameOrFn: string | (() => T), fn?: () => T): T {
  if (fn === undefined) {
    if (typeof nameOrFn !== 'function') throw new Error('Please provide a function to tidy()');
    fn = nameOrFn;
  } else {
    if (typeof nameOrFn !== 'string' && !((nameOrFn as unknown) instanceof String)) {
      throw new Error('When calling with two arguments, the first argument to tidy() must be a string');
    }
    if (typeof fn !== 'function') {
      throw new Error('When calling with two arguments, the 2nd argument to tidy() must be a function');
    }
  }
  syncCurrentScope();
  const own = __DEBUG__ ? describeOpening('tidy', typeof nameOrFn === 'function' ? '' : String(nameOrFn)) : undefined;
  const scope = openScope();
  const started = startFrame(scope);
  try {
    if (__DEBUG__) opened(scope, own!);
    const result = fn();
    if (result instanceof Promise) rejectPromise();
    moveToParentScope(result, scope);
    return result;
  } finally {
    frame.ending = started;
    endFrame(started);
    if (__DEBUG__) attributeFrees(own!.label, own!.site);
  }
}

function rejectPromise(): void {
  const message = 'Cannot return a Promise inside of tidy.';
  if (__DEBUG__)
    throw new Error(`${message} Tensors that it creates after its first await would have no owner: use scopeAsync().`);
  console.error(message);
}

/** Runs a composite op in an internal scope, which frees the intermediate tensors, and returns what `body` returns. */
export function runInInternalScope<T>(body: () => T): T {
  const scope = openScope();
  const started = startFrame(scope);
  try {
    const result = body();
    moveToParentScope(result, scope);
    return result;
  } finally {
    frame.ending = started;
    endFrame(started);
    if (__DEBUG__) attributeFreesToOp();
  }
}

/** Opens a scope, makes it current, and returns its id. */
export function openScope(): number {
  syncCurrentScope();
  frame.ending = kOpening;
  const scope = wasm._tn_open_scope();
  if (scope === -1) raiseUnopened();
  return scope;
}

function raiseUnopened(): never {
  frame.ending = undefined;
  raise();
}

/** Moves the tensors in `result` from a scope to its parent, so that they survive the scope. */
export function moveToParentScope(result: TensorContainer, scope: number): void {
  if (result instanceof Tensor) {
    if (__DEBUG__) onScopeReturn([result.id], scope);
    if (wasm._tn_hand_to_parent(result.id, scope) === -1) raise();
    return;
  }
  // Collects all tensors before it moves the first, since a getter may throw.
  const tensors = tensorsIn(result);
  if (__DEBUG__)
    onScopeReturn(
      tensors.map(({ id }) => id),
      scope,
    );
  for (const tensor of tensors) {
    if (wasm._tn_hand_to_parent(tensor.id, scope) === -1) raise();
  }
}

/**
 * Takes a tensor, or every tensor in a container, out of its scope and returns the argument. The caller must dispose the
 * tensors. Throws DisposedError if one is disposed already.
 * @example
 * let last;
 * tf.tidy(() => {
 *   last = tf.keep(tf.tensor([1, 2])); // survives the scope
 * });
 * last; // [1, 2]
 * last.dispose(); // from now on that is up to you
 * tf.memory().numTensors; // 0
 */
export function keep<T extends TensorContainer>(result: T): T {
  const tensors = tensorsIn(result);
  for (const tensor of tensors) {
    if (tensor.isDisposed) throw disposed('keep', tensor);
  }
  for (const tensor of tensors) tensor.kept = true;
  return result;
}

/**
 * Frees every tensor and every model in a container now. Ignores those that are disposed already.
 * @example
 * const weights = { w: tf.ones([2, 2]), b: tf.zeros([2]) };
 * tf.memory().numTensors; // 2
 * tf.dispose(weights); // what is in objects, arrays and maps
 * weights.w.isDisposed; // true
 * tf.dispose(weights); // a second time does nothing
 */
export function dispose(container: object | null | undefined): void;
/** Frees every tensor and every model in a container now, whose type may be any but a primitive one. */
export function dispose<T>(container: WithoutPrimitives<T>): void;
export function dispose(container: TensorContainer): void {
  for (const found of disposablesIn(container)) found[Symbol.dispose]();
}

/** Returns every tensor that is reachable from a container, each once. */
export function tensorsIn(container: TensorContainer): Tensor[] {
  return disposablesIn(container).filter((found) => found instanceof Tensor);
}

/** Returns every tensor and every holder that is reachable from a container, each once, without the tensors of holders. */
function disposablesIn(container: TensorContainer): (Tensor | Holder)[] {
  if (container instanceof Tensor) return [container as Tensor];
  if (typeof container !== 'object' || container === null) return [];
  const found: (Tensor | Holder)[] = [];
  const seen = new Set<object>([container]);
  // The set grows during the iteration, which visits each added node once.
  for (const node of seen) {
    if (node instanceof Tensor || node instanceof Holder) {
      found.push(node as Tensor | Holder);
    } else {
      for (const child of getChildren(node)) {
        if (typeof child === 'object' && child !== null) seen.add(child);
      }
    }
  }
  return found;
}

function getChildren(node: object): Iterable<unknown> {
  if (node instanceof Map)
    return [...(node as Map<unknown, unknown>).keys(), ...(node as Map<unknown, unknown>).values()];
  if (node instanceof Set || Array.isArray(node)) return node;
  if (ArrayBuffer.isView(node)) return [];
  const children: unknown[] = [];
  for (const key in node) children.push((node as Record<string, unknown>)[key]);
  return children;
}
