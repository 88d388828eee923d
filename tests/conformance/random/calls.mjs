// Random calls of the functions that both libraries export: determined by a seed and a position in its sequence, on every
// machine.
import { Random } from './random.mjs';
import { TensorArgument, mapTensors, text } from './arguments.mjs';
import { spoil } from './spoil.mjs';
import * as conv from './calls/conv.mjs';
import * as create from './calls/create.mjs';
import * as elementwise from './calls/elementwise.mjs';
import * as moves from './calls/moves.mjs';
import * as reduce from './calls/reduce.mjs';
import * as util from './calls/util.mjs';

const kLargestInteger = 2 ** 31 - 1;
const kShareOfMethods = 0.25;
const kShareOfSpoiled = 0.06;

/**
 * Calls by name: `x` of tf, `a.x` of tf.a, `.x` of a tensor, which is then the first argument. `args(r)` returns arguments,
 * `tolerance` is for compare.mjs, `method` turns the arguments into those of the method of the same name or is false if there
 * is none, `then(r, args)` returns calls on the result.
 */
export const calls = {
  ...conv.calls,
  ...create.calls,
  ...elementwise.calls,
  ...moves.calls,
  ...reduce.calls,
  ...util.calls,
};

const kWeighed = Object.entries(calls).map(([name, { weight = 1 }]) => [weight, name]);

export class Call {
  constructor(fields) {
    Object.assign(this, fields);
  }
  with(changes) {
    return new Call({ ...this, ...changes });
  }
  /** Returns the call as JavaScript source. */
  toString() {
    const [first, ...rest] = this.args.map(text);
    const steps = (this.then ?? []).map(([name, ...args]) => `.${name}(${args.map(text).join(', ')})`).join('');
    if (this.isProperty) return `${first}.${this.path.slice(1)}`;
    const call = this.isMethod
      ? `${first}.${this.path.replace(/.*\./, '')}(${rest.join(', ')})`
      : `tf.${this.path}(${this.args.map(text).join(', ')})`;
    return call + steps;
  }
}

/** Returns the call at a position of a seed's sequence. `methods` are the names of a tensor's methods. */
export function makeCall(seed, place, methods, names = kWeighed) {
  const r = new Random(seed, place);
  const name = r.weighed(names);
  const { args, tolerance, method, path = name, property = false, then } = calls[name];
  let given = args(r);
  const chain = then?.(r, given);
  const bare = path.replace(/.*\./, '');
  let isMethod = path.startsWith('.');
  if (!isMethod && method !== false && methods.has(bare) && !path.startsWith('fused.') && r.chance(kShareOfMethods)) {
    const turned = method ? method(given) : given;
    if (turned[0] instanceof TensorArgument) {
      given = [turned[0].isTensor ? turned[0] : turned[0].with({ form: 'tensor' }), ...turned.slice(1)];
      isMethod = true;
    }
  }
  const call = new Call({
    seed,
    place,
    name,
    path,
    args: given,
    then: chain,
    tolerance,
    isMethod,
    isProperty: property,
  });
  return !name.startsWith('util.') && r.chance(kShareOfSpoiled) ? spoil(r, call) : call;
}

/**
 * Returns the call with every number in its tensors made positive, and without activations except for their steepest slope: its
 * result is the magnitude of the summands.
 */
export function magnitudeOf(call) {
  const args = mapTensors(call.args, (one) => sized(one, 1));
  if (!call.name.startsWith('fused.')) return call.with({ args });
  const given = args[0];
  const slopes = given.preluActivationWeights instanceof TensorArgument ? given.preluActivationWeights.values : [];
  const steepest = Math.max(1, ...slopes.filter(Number.isFinite));
  for (const name of ['x', 'a', 'bias']) given[name] = mapTensors(given[name], (one) => sized(one, steepest));
  given.activation = 'linear';
  return call.with({ args });
}

function sized(one, factor) {
  const most = one.dtype === 'int32' ? kLargestInteger : Infinity;
  return one.with({ values: one.values.map((value) => Math.min(Math.abs(value) * factor, most)) });
}
