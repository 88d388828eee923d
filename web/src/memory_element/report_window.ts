/**
 * Shows a report, a page in one file, in a window of its own; false where the browser opens none. It is put there node by
 * node, as a page's policy, which the window inherits, may forbid styles that stand in a page.
 */
export function openReport(html: string): boolean {
  const shown = window.open('', '_blank') as (Window & typeof globalThis) | null;
  if (!shown) return false;
  const sheets: CSSStyleSheet[] = [];
  // Before it is parsed: the policy holds for a document that nobody sees, too.
  const text = html.replace(/<style>(.*?)<\/style>/gs, (_, css: string) => {
    const sheet = new shown.CSSStyleSheet();
    sheet.replaceSync(css);
    sheets.push(sheet);
    return '';
  });
  const report = new DOMParser().parseFromString(text, 'text/html');
  const { document } = shown;
  document.documentElement.lang = report.documentElement.lang;
  document.title = report.title;
  document.body.replaceChildren(...[...report.body.childNodes].map((node) => document.importNode(node, true)));
  document.adoptedStyleSheets = sheets;
  return true;
}
