// Writes FlexBuffers: maps of numbers and of lists of integers, with numbers of 4 bytes.

const kWidth = 4;
const kWidthBits = 2;
const kInt = 1;
const kFloat = 3;
const kMap = 9;
const kIntVector = 11;

/** Returns the bytes of a map. Integers are ints, other numbers floats. */
export function flexbuffer(values) {
  const bytes = [];
  const put = (write, value) => {
    const view = new DataView(new ArrayBuffer(kWidth));
    view[write](0, value, true);
    bytes.push(...new Uint8Array(view.buffer));
  };
  const align = () => bytes.push(...new Uint8Array((kWidth - (bytes.length % kWidth)) % kWidth));
  const offsetTo = (at) => put('setUint32', bytes.length - at);
  const keys = Object.keys(values).sort();
  const keyPlaces = keys.map((key) => {
    const at = bytes.length;
    bytes.push(...new TextEncoder().encode(`${key}\0`));
    return at;
  });
  align();
  const listPlaces = keys.map((key) => {
    if (!Array.isArray(values[key])) return undefined;
    put('setUint32', values[key].length);
    const at = bytes.length;
    for (const value of values[key]) put('setInt32', value);
    return at;
  });
  put('setUint32', keys.length);
  const keysAt = bytes.length;
  keyPlaces.forEach(offsetTo);
  offsetTo(keysAt);
  put('setUint32', kWidth);
  put('setUint32', keys.length);
  const mapAt = bytes.length;
  const types = keys.map((key, i) => {
    const value = values[key];
    if (listPlaces[i] !== undefined) {
      offsetTo(listPlaces[i]);
      return kIntVector;
    }
    put(Number.isInteger(value) ? 'setInt32' : 'setFloat32', value);
    return Number.isInteger(value) ? kInt : kFloat;
  });
  bytes.push(...types.map((type) => (type << 2) | kWidthBits));
  align();
  offsetTo(mapAt);
  bytes.push((kMap << 2) | kWidthBits, kWidth);
  return Uint8Array.from(bytes);
}
