const kUnits = ['B', 'KB', 'MB', 'GB'];

/** "1,234". */
export function count(value: number): string {
  return value.toLocaleString('en');
}

/** "1.5 KB", in powers of 1024. */
export function bytes(value: number): string {
  let unit = 0;
  while (value >= 1024 && unit < kUnits.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = Number.isInteger(value) || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${kUnits[unit]}`;
}

/** "58", or "0.4" where it is slow. */
export function rate(value: number): string {
  return value.toFixed(value > 0 && value < 10 ? 1 : 0);
}
