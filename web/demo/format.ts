const kUnits = ['B', 'KB', 'MB', 'GB'];
const kMinute = 60;

/** Returns "1,234". */
export function count(value: number): string {
  return value.toLocaleString('en');
}

/** Returns "1.5 KB", in powers of 1024. */
export function bytes(value: number): string {
  let unit = 0;
  while (value >= 1024 && unit < kUnits.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = Number.isInteger(value) || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${kUnits[unit]}`;
}

/** Returns "0.42 ms", "12 ms". */
export function milliseconds(value: number): string {
  return `${value.toFixed(value < 1 ? 2 : value < 10 ? 1 : 0)} ms`;
}

/** Returns "4 min", "3 min 50 s", "40 s": rounded to the precision of a forecast. */
export function duration(seconds: number): string {
  const tens = Math.max(10, Math.round(seconds / 10) * 10);
  const minutes = Math.floor(tens / kMinute);
  const rest = tens % kMinute;
  if (minutes >= 10) return `${Math.round(seconds / kMinute)} min`;
  return [minutes && `${minutes} min`, rest && `${rest} s`].filter(Boolean).join(' ');
}
