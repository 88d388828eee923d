// Formats tensors exactly as TensorFlow.js prints them, because programs compare printed output.
import type { DataType } from '../runtime/types.js';
import { computeStrides } from '../util/shape.js';

/** Dimensions longer than this show only their first and last kShownAtEnds entries. */
const kMaxShown = 20;
const kShownAtEnds = 3;
const kDecimals = 7;

type Value = number | string | readonly [number, number];
type Values = ArrayLike<Value>;

/** Returns a tensor as text: "Tensor", then dtype, rank and shape if `verbose`, then the values in nested brackets. */
export function formatTensor(
  flat: ArrayLike<number | string>,
  shape: readonly number[],
  dtype: DataType,
  verbose: boolean,
): string {
  const values = dtype === 'complex64' ? toComplexPairs(flat as ArrayLike<number>) : flat;
  const head = verbose ? [`  dtype: ${dtype}`, `  rank: ${shape.length}`, `  shape: [${shape}]`, '  values:'] : [];
  const text = (value: Value) => formatValue(value, dtype);
  const lines =
    shape.length === 0
      ? [dtype === 'bool' || dtype === 'complex64' ? text(values[0]!) : String(values[0])]
      : formatBlock(values, 0, shape, shape.length > 1 ? columnWidths(values, shape, text) : [], text, true);
  return ['Tensor', ...head, lines.map((line) => `    ${line}`).join('\n')].join('\n');
}

function formatValue(value: Value, dtype: DataType): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value !== 'number') return `${formatNumber(value[0])} + ${formatNumber(value[1])}j`;
  if (dtype === 'bool') return value === 0 ? 'false' : 'true';
  return formatNumber(value);
}

function formatNumber(value: number): string {
  return String(parseFloat(value.toFixed(kDecimals)));
}

function toComplexPairs(parts: ArrayLike<number>): Values {
  return Array.from({ length: parts.length / 2 }, (_, i) => [parts[2 * i]!, parts[2 * i + 1]!] as const);
}

/** Returns the width of each column over all rows, including rows that are not shown. */
function columnWidths(values: Values, shape: readonly number[], text: (value: Value) => string): number[] {
  const columns = shape[shape.length - 1]!;
  const widths = new Array<number>(columns).fill(0);
  for (let i = 0; i < values.length; i++) {
    widths[i % columns] = Math.max(widths[i % columns]!, text(values[i]!).length);
  }
  return widths;
}

function formatBlock(
  values: Values,
  at: number,
  shape: readonly number[],
  widths: readonly number[],
  text: (value: Value) => string,
  isLast: boolean,
): string[] {
  const extent = shape[0]!;
  const isLong = extent > kMaxShown;
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
  const first = range(0, isLong ? kShownAtEnds : extent);
  const last = isLong ? range(extent - kShownAtEnds, extent) : [];
  if (shape.length === 1) {
    const row = (columns: number[]) => columns.map((i) => text(values[at + i]!).padEnd(widths[i] ?? 0)).join(', ');
    return [`[${[row(first), ...(isLong ? ['...', row(last)] : [])].join(', ')}]`];
  }
  const rest = shape.slice(1);
  const stride = computeStrides(shape)[0]!;
  const part = (i: number) => formatBlock(values, at + i * stride, rest, widths, text, i === extent - 1);
  const lines = [...first.flatMap(part), ...(isLong ? ['...'] : []), ...last.flatMap(part)];
  return addBrackets(lines, shape.length, extent > 0, isLast);
}

/**
 * Adds the brackets of one nesting level around its lines. `rank` - 1 empty lines separate the level from its
 * successor.
 */
function addBrackets(lines: string[], rank: number, hasParts: boolean, isLast: boolean): string[] {
  const separator = rank === 2 ? ',' : '';
  const end = isLast ? '' : `,\n${'\n'.repeat(rank - 2)}`;
  const all = [...lines];
  all[0] = `[${hasParts ? all[0] + separator : ''}`;
  for (let i = 1; i < all.length - 1; i++) all[i] = ` ${all[i]}${separator}`;
  all[all.length - 1] = ` ${all[all.length - 1]}]${end}`;
  return all;
}
