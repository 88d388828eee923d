// Arguments of a call: values that are created anew for each library, and can be printed as JavaScript.

const kArrays = { float32: Float32Array, int32: Int32Array, bool: Uint8Array };

/** A tensor, or values in place of a tensor, as `form` says. */
export class TensorArgument {
  /** `values` is a flat typed array. */
  constructor(values, shape, dtype, form = 'tensor') {
    Object.assign(this, { values, shape, dtype, form });
  }

  get size() {
    return this.values.length;
  }
  get rank() {
    return this.shape.length;
  }
  /** The number of dimensions that a library sees: nested lists lose the dimensions after an empty one. */
  get rankShown() {
    const empty = this.shape.indexOf(0);
    return this.isTensor || empty === -1 ? this.rank : empty + 1;
  }
  /** True if the library gets a tensor, and not values in its place. */
  get isTensor() {
    return this.form === 'tensor' || this.form === 'variable';
  }

  with(changes) {
    const { values, shape, dtype, form } = { ...this, ...changes };
    return new TensorArgument(values, shape, dtype, form);
  }

  make(tf) {
    switch (this.form) {
      case 'number':
        return element(this.values[0], this.dtype);
      case 'nested':
        return nested(this, (list) => list);
      case 'rows':
        return nested(this, (list) => kArrays[this.dtype].from(list));
      case 'typed':
        return this.values.slice();
      default: {
        const tensor = tf.tensor(this.values.slice(), this.shape, this.dtype);
        if (this.form === 'tensor') return tensor;
        const variable = tf.variable(tensor);
        tensor.dispose();
        return variable;
      }
    }
  }

  toString() {
    switch (this.form) {
      case 'number':
      case 'nested':
      case 'rows':
      case 'typed':
        return text(this.make());
      default: {
        const flat = [...this.values].map(shortest).join(', ');
        const tensor = `tf.tensor([${flat}], [${this.shape}], '${this.dtype}')`;
        return this.form === 'tensor' ? tensor : `tf.variable(${tensor})`;
      }
    }
  }
}

/** A JavaScript expression. */
export class Code {
  constructor(source) {
    this.source = source;
  }
  make() {
    return new Function(`return (${this.source});`)();
  }
  toString() {
    return this.source;
  }
}

function element(value, dtype) {
  return dtype === 'bool' ? value !== 0 : value;
}

function nested({ values, shape, dtype }, ofRow) {
  let at = 0;
  const build = (depth) => {
    if (depth === shape.length) return element(values[at++], dtype);
    const list = Array.from({ length: shape[depth] }, () => build(depth + 1));
    return depth === shape.length - 1 ? ofRow(list) : list;
  };
  return build(0);
}

export function elements(shape) {
  return shape.reduce((size, extent) => size * extent, 1);
}

export function arrayOf(dtype, values) {
  return kArrays[dtype].from(values);
}

/** Returns an argument with every tensor in it replaced by the result of `change`. */
export function mapTensors(given, change) {
  if (given instanceof TensorArgument) return change(given);
  if (Array.isArray(given)) return given.map((one) => mapTensors(one, change));
  if (isPlain(given)) {
    return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, mapTensors(one, change)]));
  }
  return given;
}

/** Returns every tensor of an argument. */
export function tensorsOf(given) {
  const found = [];
  mapTensors(given, (one) => (found.push(one), one));
  return found;
}

/** Returns an argument as a library takes it. */
export function make(given, tf, onTensor) {
  if (given instanceof TensorArgument) {
    const made = given.make(tf);
    if (given.isTensor) onTensor(made, given);
    return made;
  }
  if (given instanceof Code) return given.make();
  if (Array.isArray(given)) return given.map((one) => make(one, tf, onTensor));
  if (isPlain(given)) {
    return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, make(one, tf, onTensor)]));
  }
  return given;
}

function isPlain(value) {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Returns an argument as JavaScript source. */
export function text(given) {
  if (typeof given === 'number') return shortest(given);
  if (typeof given === 'string') return `'${given}'`;
  if (Array.isArray(given)) return `[${given.map(text).join(', ')}]`;
  if (ArrayBuffer.isView(given)) return `new ${given.constructor.name}([${[...given].map(shortest).join(', ')}])`;
  if (isPlain(given)) {
    return `{${Object.entries(given)
      .map(([name, one]) => `${name}: ${text(one)}`)
      .join(', ')}}`;
  }
  return String(given);
}

/** Returns the shortest number with the same float32 value; other values unchanged. */
function shortest(value) {
  if (Object.is(value, -0)) return '-0';
  if (!Number.isFinite(value) || Number.isInteger(value) || Math.fround(value) !== value) return String(value);
  for (let digits = 1; digits < 10; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return String(rounded);
  }
  return String(value);
}
