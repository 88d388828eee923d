/** An element of the page, which must be there. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element as T;
}

/** Sets a text where it has changed. */
export function setText(id: string, text: string): void {
  const element = byId(id);
  if (element.textContent !== text) element.textContent = text;
}

/** Tells what was done, or what went wrong, where screen readers listen. */
export function say(text: string, isProblem = false): void {
  setText('status', text);
  byId('status').classList.toggle('problem', isProblem);
}

/** Says on a button why it can do nothing now. It stays in the order of Tab, so that the reason can be found. */
export function explain(id: string, obstacle: string, hint: string): void {
  byId(id).setAttribute('aria-disabled', String(obstacle !== ''));
  setText(`${id}-hint`, obstacle || hint);
}

/** Tells of an error, on the page and on the console. */
export function complain(error: unknown): void {
  console.error(error);
  say(error instanceof Error ? `${error.name}: ${error.message}` : String(error), true);
}

/** What is chosen, in the words of the page. */
export function chosenText(choice: HTMLSelectElement): string {
  return choice.selectedOptions[0]!.text;
}
