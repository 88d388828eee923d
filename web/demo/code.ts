/** A remark on a line: its kind colours the line. */
export interface Remark {
  readonly kind: 'leaks' | 'mended';
  readonly text: string;
}

/** Functions of a source file in a `<pre>`, which the build has filled in. One of them is shown. */
export class Listing {
  readonly #functions: readonly HTMLElement[];

  constructor(host: HTMLElement) {
    this.#functions = [...host.querySelectorAll<HTMLElement>('code')];
  }

  /** Shows the function `name`, and hides the others. */
  show(name: string): void {
    for (const code of this.#functions) code.hidden = code.dataset['name'] !== name;
  }

  /** Shows these remarks, by the line of the file, below their lines, and no others. */
  remark(remarks: ReadonlyMap<number, Remark>): void {
    for (const row of this.#functions.flatMap(rowsOf)) {
      const remark = remarks.get(lineOf(row));
      row.classList.toggle('leaks', remark?.kind === 'leaks');
      row.classList.toggle('mended', remark?.kind === 'mended');
      const note = row.querySelector('.note');
      if (!remark) note?.remove();
      else if (note) note.textContent = remark.text;
      else row.append(noteOf(remark.text));
    }
  }

  /** Returns the lines of the function `name` whose text differs from the same line of the function `other`. */
  linesThatDiffer(name: string, other: string): number[] {
    const [rows, others] = [name, other].map((each) =>
      this.#functions.filter(({ dataset }) => dataset['name'] === each).flatMap(rowsOf),
    );
    return rows!.filter((row, i) => textOf(row) !== textOf(others![i]!)).map(lineOf);
  }
}

function rowsOf(code: HTMLElement): HTMLElement[] {
  return [...code.querySelectorAll<HTMLElement>('.line')];
}

function lineOf(row: HTMLElement): number {
  return Number(row.dataset['line']);
}

/** Returns a line without its remark. */
function textOf(row: HTMLElement): string {
  return row.firstChild?.textContent ?? '';
}

function noteOf(text: string): HTMLElement {
  const note = document.createElement('span');
  note.className = 'note';
  note.textContent = text;
  return note;
}
