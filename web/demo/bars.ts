/** A bar of a bar chart. */
export interface Bar {
  readonly label: string;
  readonly value: number;
  /** The value in words, written behind the bar. */
  readonly text: string;
  /** The class that colours it. */
  readonly kind?: 'tenure' | 'peer';
}

/** Shows bars in a list, the longest as wide as the list allows. */
export function showBars(list: HTMLElement, bars: readonly Bar[]): void {
  const longest = Math.max(...bars.map(({ value }) => value));
  list.replaceChildren(
    ...bars.map(({ label, value, text, kind }) => {
      const row = document.createElement('li');
      if (kind) row.className = kind;
      const bar = document.createElement('span');
      bar.className = 'bar';
      // A policy without 'unsafe-inline' forbids the attribute, not the property.
      bar.style.setProperty('--part', String(value / longest));
      const [name, figure] = [label, text].map((content) => {
        const span = document.createElement('span');
        span.textContent = content;
        return span;
      });
      row.append(name!, bar, figure!);
      return row;
    }),
  );
}
