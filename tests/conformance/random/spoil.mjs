// Invalid and nearly invalid arguments.
import { TensorArgument, arrayOf } from './arguments.mjs';
import { dtype, shape, tensor } from './values.mjs';

const kNumbers = [-1, 0, -7, 19];
const kNoNumbers = [NaN, 1.5, '1', null, undefined, true];
const kHuge = [Infinity, 2 ** 31, 2 ** 32, 2 ** 32 + 1, -(2 ** 32)];
/** Ops that take axes and enlarge nothing: with other ops TensorFlow.js would fill the memory. */
const kOfAxes =
  /^(sum|prod|mean|max|min|any|all|arg\w+|transpose|expandDims|squeeze|concat|stack|unstack|gather|reverse|norm|logSumExp|moments|softmax)$/;
const kTexts = ['', 'other', 'NCHW', 'same', 'valid', 0, null, undefined];
const kNoTensors = [null, undefined, 'text', [], {}, [[1, 2], [3]], [1, [2]], [null]];

/**
 * Returns the call with one wrong argument, or part of one: `spoiled` is 'nonsense' for a value that cannot be meant, and
 * 'other' for one that may be right for another call.
 */
export function spoil(r, call) {
  const args = [...call.args];
  const least = call.isMethod ? 1 : 0;
  // TensorFlow.js searches for ever for a number near NaN.
  if (args.length <= least || call.name === 'truncatedNormal') return call;
  const i = r.int(least, args.length - 1);
  const spoiler = new Spoiler(r, kOfAxes.test(call.name) ? [...kNoNumbers, ...kHuge] : kNoNumbers);
  args[i] = spoiler.change(args[i]);
  return call.with({ args, spoiled: spoiler.isNonsense ? 'nonsense' : 'other' });
}

class Spoiler {
  isNonsense = false;

  constructor(r, noNumbers) {
    this.r = r;
    this.noNumbers = noNumbers;
  }

  change(given) {
    const { r } = this;
    if (given instanceof TensorArgument) return this.changeTensor(given);
    if (typeof given === 'number') return r.chance(0.4) ? r.pick(kNumbers) : this.nonsense(this.noNumbers);
    if (typeof given === 'string') return this.nonsense(kTexts);
    if (typeof given === 'boolean') return this.nonsense([null, undefined, 0, 1, 'true', NaN]);
    if (Array.isArray(given)) return this.changeList(given);
    if (given && typeof given === 'object' && Object.getPrototypeOf(given) === Object.prototype) {
      const name = r.pick(Object.keys(given));
      return { ...given, [name]: this.change(given[name]) };
    }
    return this.nonsense([null, NaN, 'text', {}, 3]);
  }

  changeList(given) {
    const { r } = this;
    const form = r.int(0, 4);
    if (form === 0) return this.nonsense([null, undefined, 2, 'text', [], {}]);
    if (form === 1) return [...given, given.at(-1) ?? 1];
    if (form === 2) return given.slice(0, -1);
    if (given.length === 0) return [0];
    const i = r.int(0, given.length - 1);
    return given.with(i, this.change(given[i]));
  }

  changeTensor(one) {
    const { r } = this;
    const form = r.int(0, 3);
    if (form === 0) return this.nonsense(kNoTensors);
    if (form === 1) return tensor(r, { shape: shape(r), dtype: one.dtype });
    if (form === 2) {
      const type = dtype(r);
      return one.with({
        dtype: type,
        values: arrayOf(type, type === 'bool' ? one.values.map((value) => (value ? 1 : 0)) : one.values),
      });
    }
    return tensor(r);
  }

  nonsense(list) {
    this.isNonsense = true;
    return this.r.pick(list);
  }
}
