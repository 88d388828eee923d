// Calls of the engine that layers and models share.
import { setCurrentOp } from '../../debug/ledger.js';
import { withBytes } from '../../runtime/wasm_memory.js';
import { raise, scratch, wasm } from '../../runtime/runtime.js';
import { syncCurrentScope } from '../../runtime/async_scope_tracking.js';
import { kDataTypes, type Shape } from '../../runtime/types.js';
import { takeResults } from '../../tensor/create.js';
import { writeTensorIds } from '../../tensor/scratch_ids.js';
import type { Tensor } from '../../tensor/tensor.js';
import { jsonText } from '../json_text.js';
import type { LayerResult } from './layer.js';

/** Runs a layer of the engine eagerly and returns its outputs and masks. */
export function runInEngine(
  number: number,
  name: string,
  inputs: Tensor[],
  masks: (Tensor | null)[],
  training: boolean,
): LayerResult {
  syncCurrentScope();
  if (__DEBUG__) setCurrentOp(name);
  writeTensorIds(0, [...inputs, ...inputs.map((_, i) => masks[i])]);
  const made = checked(wasm._tn_call_layer(number, inputs.length, training ? 1 : 0));
  const count = made % 256;
  const bits = made >> 8;
  const given = Array.from({ length: count }, (_, i) => (bits & (1 << i)) !== 0);
  const results = takeResults(count + given.filter(Boolean).length);
  const outputs = results.slice(0, count);
  let at = count;
  return { outputs, masks: given.map((has) => (has ? results[at++]! : null)) };
}

/** Returns the shapes of a layer's outputs for shapes of its inputs. The first call declares the weights in the engine. */
export function inferOutputShapes(number: number, shapes: Shape[]): Shape[] {
  const words = scratch();
  let at = 0;
  for (const shape of shapes) {
    words[at++] = kDataTypes.indexOf('float32');
    words[at++] = shape.length;
    for (const extent of shape) words[at++] = extent ?? -1;
  }
  const count = checked(wasm._tn_declare_layer(number, shapes.length));
  const made = scratch();
  at = 0;
  return Array.from({ length: count }, () => {
    const rank = made[at + 1]!;
    const shape = Array.from(made.subarray(at + 2, at + 2 + rank), (extent) => (extent < 0 ? null : extent));
    at += 2 + rank;
    return shape;
  });
}

export function withJson<T>(json: unknown, use: (address: number, length: number) => T): T {
  return withBytes('layer', jsonText(json), use);
}
export function checked(status: number): number {
  return status === -1 ? raise() : status;
}
