export * from './checks.js';
export * from './shape.js';
export * from './numbers.js';
export * from './random.js';
export {
  bytesPerElement,
  checkConversionForErrors,
  convertBackendValuesAndArrayBuffer,
  createScalarValue,
  flatten,
  getArrayFromDType,
  getTypedArrayFromDType,
  hasEncodingLoss,
  inferDtype,
  isTypedArray,
  isValidDtype,
  makeOnesTypedArray,
  makeZerosNestedTypedArray,
  makeZerosTypedArray,
  toNestedArray,
  toTypedArray,
} from './values.js';
