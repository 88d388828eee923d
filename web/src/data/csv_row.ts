/** What separates the values of a line. */
export interface Dialect {
  /** One character. */
  delimiter: string;
  /** Whether several delimiters count as one. */
  collapses: boolean;
}

type State = 'before' | 'plain' | 'quoted' | 'behind quote' | 'plain in quotes';

/** What a quote, or another character that is no delimiter, does to a state. */
const kAfterQuote: Record<State, State> = {
  before: 'quoted',
  plain: 'plain',
  quoted: 'behind quote',
  'behind quote': 'quoted',
  'plain in quotes': 'quoted',
};
const kAfterOther: Record<State, State> = {
  before: 'plain',
  plain: 'plain',
  quoted: 'quoted',
  'behind quote': 'plain in quotes',
  'plain in quotes': 'plain in quotes',
};

/**
 * The values of a line. A value in quotes may hold delimiters, and ends at a quote with a delimiter behind it; what stands
 * between its outer quotes is given as it is, doubled quotes included, as TensorFlow.js does.
 */
export function parseRow(line: string, { delimiter, collapses }: Dialect): string[] {
  const values: string[] = [];
  let state: State = 'before';
  let start = 0;
  for (let i = 0; i < line.length; i++) {
    const c = line.charAt(i);
    if (state === 'before') start = c === '"' || c === delimiter ? i + 1 : i;
    const isEnd = c === delimiter && (state === 'plain' || state === 'behind quote');
    if (isEnd) {
      values.push(line.substring(start, state === 'plain' ? i : i - 1));
      state = 'before';
      start = i + 1;
    } else if (c === delimiter && state === 'before') {
      if (!collapses) values.push('');
    } else {
      state = (c === '"' ? kAfterQuote : kAfterOther)[state];
    }
  }
  return [...values, line.substring(start, state === 'behind quote' ? line.length - 1 : line.length)];
}
