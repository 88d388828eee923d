// tf.string
import { Op, writeHashBuckets, writeStringNGrams, writeStringSplit } from '../../generated/ops.js';
import { call, callAll } from '../call.js';
import type { TensorLike } from '../../runtime/types.js';
import { createTensor } from '../../tensor/create.js';
import { toInput, Literal } from '../../tensor/input.js';
import { Tensor, type Scalar, type Tensor1D, type Tensor2D } from '../../tensor/tensor.js';
import { decodeString } from '../../util/numbers.js';

/**
 * Splits strings into the parts of a sparse tensor.
 * @param input Vector of strings.
 * @param delimiter Bytes, each of which separates parts; if it is empty, each byte is a part.
 * @param skipEmpty True to omit empty parts.
 * @example
 * const { values, shape } = tf.string.stringSplit(['hello world', 'a b c'], ' ');
 * values; // ['hello', 'world', 'a', 'b', 'c']
 * shape; // [2, 3]
 */
export function stringSplit(
  input: Tensor1D | TensorLike,
  delimiter: Scalar | TensorLike,
  skipEmpty = true,
): {
  /** Coordinates of the parts, [string, part], for each part. */
  indices: Tensor2D;
  /** Parts of all strings. */
  values: Tensor1D;
  /** Shape of the dense result: the number of strings, and the maximum number of parts. */
  shape: Tensor1D;
} {
  const texts = toInput(input, 'input', 'stringSplit', 'string');
  const marks = toInput(delimiter, 'delimiter', 'stringSplit', 'string');
  if (texts.rank !== 1) throw new Error(`Input should be Tensor1D but received shape ${texts.shape}`);
  if (marks.rank !== 0) throw new Error(`Delimiter should be a scalar but received shape ${marks.shape}`);
  const [indices, values, shape] = callAll(Op.stringSplit, [texts, marks], writeStringSplit, { skipEmpty });
  return { indices: indices as Tensor2D, values: values as Tensor1D, shape: shape as Tensor1D };
}

/**
 * Returns the n-grams of each row of a ragged tensor of tokens, joined by a separator.
 * @param data Tokens of all rows.
 * @param dataSplits Indices of the tokens at which rows start, and the number of tokens.
 * @param separator String between the tokens of an n-gram.
 * @param nGramWidths Numbers of tokens of the n-grams.
 * @param leftPad Token that pads a row at its start.
 * @param rightPad Token that pads a row at its end.
 * @param padWidth Maximum number of padding tokens at each end: the width - 1 if negative.
 * @param preserveShortSequences True to return a row that is too short for any n-gram as one n-gram.
 * @example
 * const { nGrams } = tf.string.stringNGrams(['a', 'b', 'c'], tf.tensor([0, 3], [2], 'int32'), '|', [2], '', '', 0, false);
 * nGrams; // ['a|b', 'b|c']
 */
export function stringNGrams(
  data: Tensor1D | TensorLike,
  dataSplits: Tensor | TensorLike,
  separator: string,
  nGramWidths: number[],
  leftPad: string,
  rightPad: string,
  padWidth: number,
  preserveShortSequences: boolean,
): {
  /** N-grams of all rows. */
  nGrams: Tensor1D;
  /** Row splits: where each row starts among the n-grams, and the end. */
  nGramsSplits: Tensor;
} {
  const texts = toInput(data, 'data', 'stringNGrams', 'string');
  if (texts.rank !== 1) throw new Error(`Data must be a vector, saw: ${texts.shape}`);
  if (dataSplits instanceof Tensor && dataSplits.dtype !== 'int32')
    throw new Error('Data splits must be of datatype int32');
  const words = [separator, leftPad, rightPad].map((word) => new Literal([word], [], 'string'));
  const [nGrams, nGramsSplits] = callAll(Op.stringNGrams, [texts, dataSplits, ...words], writeStringNGrams, {
    widths: nGramWidths,
    padWidth,
    preserveShortSequences,
  });
  return { nGrams: nGrams as Tensor1D, nGramsSplits: nGramsSplits! };
}

/**
 * Returns a hash of each string, from 0 to `numBuckets` - 1. Equal strings always have equal hashes.
 * @example
 * tf.string.stringToHashBucketFast(['hello', 'hello', 'world'], 10); // [6, 6, 8]
 */
export function stringToHashBucketFast(input: Tensor | TensorLike, numBuckets: number): Tensor {
  const texts = toInput(input, 'input', 'stringToHashBucketFast', 'string');
  if (numBuckets <= 0) throw new Error('Number of buckets must be at least 1');
  const attrs = { low: numBuckets | 0, high: Math.floor(numBuckets / 2 ** 32) };
  return call(Op.stringToHashBucketFast, [texts], writeHashBuckets, attrs);
}

/**
 * Replaces matches of a JavaScript regular expression in each string.
 * @param input Strings.
 * @param pattern Regular expression.
 * @param rewrite Replacement, in the syntax of String.replace().
 * @param replaceGlobal True to replace all matches, false for the first one only.
 * @example
 * tf.string.staticRegexReplace(['ab12', '3c'], '[0-9]', '#'); // ['ab##', '#c']
 */
export function staticRegexReplace(
  input: Tensor | TensorLike,
  pattern: string,
  rewrite: string,
  replaceGlobal = true,
): Tensor {
  const texts = toInput(input, 'input', 'staticRegexReplace', 'string');
  const found = new RegExp(pattern, replaceGlobal ? 'g' : '');
  const values = texts instanceof Tensor ? texts.dataSync<'string'>() : (texts.values as (string | Uint8Array)[]);
  const replaced = values.map((value) =>
    (typeof value === 'string' ? value : decodeString(value)).replace(found, rewrite),
  );
  return createTensor(replaced, texts.shape, 'string');
}
