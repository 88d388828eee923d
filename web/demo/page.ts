/** Returns an element of the page, which must exist. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element as T;
}

/** Sets a text if it has changed. */
export function setText(id: string, text: string): void {
  const element = byId(id);
  if (element.textContent !== text) element.textContent = text;
}

/** Announces what was done, or what went wrong, where screen readers listen. */
export function say(text: string, isProblem = false): void {
  setText('status', text);
  byId('status').classList.toggle('problem', isProblem);
}

/** Shows on a button why it can do nothing now. The button stays in the tab order, so that the reason can be found. */
export function explain(id: string, obstacle: string, hint: string): void {
  byId(id).setAttribute('aria-disabled', String(obstacle !== ''));
  setText(`${id}-hint`, obstacle || hint);
}

/** Reports an error on the page and on the console. */
export function complain(error: unknown): void {
  console.error(error);
  say(error instanceof Error ? `${error.name}: ${error.message}` : String(error), true);
}

/** Returns the label of the chosen option. */
export function chosenText(choice: HTMLSelectElement): string {
  return choice.selectedOptions[0]!.text;
}
