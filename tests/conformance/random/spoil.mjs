// Arguments that are wrong, or nearly so.
import { TensorArgument, arrayOf } from './arguments.mjs';
import { dtype, shape, tensor } from './values.mjs';

const kNumbers = [NaN, -1, 0, 1.5, -7, 19, '1', null, undefined, true];
const kHuge = [Infinity, 2 ** 31, 2 ** 32, 2 ** 32 + 1, -(2 ** 32)];
/** What takes axes and makes nothing larger: elsewhere TensorFlow.js would fill the memory. */
const kOfAxes =
  /^(sum|prod|mean|max|min|any|all|arg\w+|transpose|expandDims|squeeze|concat|stack|unstack|gather|reverse|norm|logSumExp|moments|softmax)$/;
const kTexts = ['', 'other', 'NCHW', 'same', 'valid', 0, null, undefined];
const kTensors = [null, undefined, 'text', 3, [], {}, true, [[1, 2], [3]], [1, [2]], [null]];

/** The call with one argument, or one part of it, that does not belong there. */
export function spoil(r, call) {
  const args = call.args.map((one) => one);
  const least = call.isMethod ? 1 : 0;
  if (args.length <= least) return call.with({ args: [...args, r.pick([null, NaN, 'text', {}])], spoiled: 'an argument too many' });
  const i = r.int(least, args.length - 1);
  args[i] = spoiledOne(r, args[i], kOfAxes.test(call.name) ? [...kNumbers, ...kHuge] : kNumbers);
  return call.with({ args, spoiled: `argument ${i + 1}` });
}

function spoiledOne(r, given, numbers) {
  if (given instanceof TensorArgument) return spoiledTensor(r, given);
  if (typeof given === 'number') return r.pick(numbers);
  if (typeof given === 'string') return r.pick(kTexts);
  if (typeof given === 'boolean') return r.pick([null, undefined, 0, 1, 'true', NaN]);
  if (Array.isArray(given)) {
    const list = [...given];
    const form = r.int(0, 4);
    if (form === 0) return r.pick([null, undefined, 2, 'text', [], {}]);
    if (form === 1) return [...list, list.at(-1) ?? 1];
    if (form === 2) return list.slice(0, -1);
    if (list.length === 0) return [0];
    const i = r.int(0, list.length - 1);
    list[i] = spoiledOne(r, list[i], numbers);
    return list;
  }
  if (given && typeof given === 'object' && Object.getPrototypeOf(given) === Object.prototype) {
    const name = r.pick(Object.keys(given));
    return { ...given, [name]: spoiledOne(r, given[name], numbers) };
  }
  return r.pick([null, NaN, 'text', {}, 3]);
}

function spoiledTensor(r, one) {
  const form = r.int(0, 3);
  if (form === 0) return r.pick(kTensors);
  if (form === 1) return tensor(r, { shape: shape(r), dtype: one.dtype });
  if (form === 2) return one.with(retyped(r, one));
  return tensor(r);
}

function retyped(r, one) {
  const type = dtype(r);
  return { dtype: type, values: arrayOf(type, type === 'bool' ? one.values.map((value) => (value ? 1 : 0)) : one.values) };
}
