// Quantized weights, as converters store them.

/** Returns a copy of a model's artifacts in which some weights are stored as uint8, uint16 or float16. */
export function quantize(artifacts, random) {
  const kind = random.weighed([
    [4, 'float32'],
    [1, 'mixed'],
    [1, 'uint8'],
    [1, 'uint16'],
    [1, 'float16'],
  ]);
  const stored = [];
  let at = 0;
  const weightSpecs = artifacts.weightSpecs.map((spec) => {
    const size = spec.shape.reduce((product, extent) => product * extent, 1);
    const values = new Float32Array(artifacts.weightData.slice(at, at + 4 * size));
    at += 4 * size;
    const { bytes, quantization } = encoders[kind === 'mixed' ? random.pick(Object.keys(encoders)) : kind](values);
    stored.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return quantization ? { ...spec, quantization } : spec;
  });
  const all = Buffer.concat(stored);
  return { ...artifacts, weightSpecs, weightData: all.buffer.slice(all.byteOffset, all.byteOffset + all.byteLength) };
}

const encoders = {
  float32: (values) => ({ bytes: values }),
  uint8: (values) => inSteps(values, 'uint8', Uint8Array, 255),
  uint16: (values) => inSteps(values, 'uint16', Uint16Array, 65535),
  float16: (values) => ({ bytes: Uint16Array.from(values, toHalf), quantization: { dtype: 'float16' } }),
};

function inSteps(values, dtype, Type, most) {
  const min = Math.min(...values);
  const scale = (Math.max(...values) - min) / most || 1;
  return {
    bytes: Type.from(values, (value) => Math.round((value - min) / scale)),
    quantization: { dtype, min, scale },
  };
}

/** Returns the bits of the float16 nearest to a value of its normal range; smaller values become zero. */
function toHalf(value) {
  const [bits] = new Uint32Array(new Float32Array([value]).buffer);
  const sign = (bits >>> 16) & 0x8000;
  const rounded = bits + 0x0fff + ((bits >>> 13) & 1);
  const exponent = ((rounded >>> 23) & 0xff) - 112;
  if (exponent <= 0) return sign;
  return exponent >= 31 ? sign | 0x7bff : sign | (exponent << 10) | ((rounded >>> 13) & 0x3ff);
}
