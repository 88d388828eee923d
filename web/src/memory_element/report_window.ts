/**
 * Shows a report, a self-contained HTML page, in a new window. Returns false if the browser opens none. The report is
 * imported as nodes and its styles as constructed style sheets, because the page's content security policy, which the
 * window inherits, may forbid inline styles.
 */
export function openReport(html: string): boolean {
  const shown = window.open('', '_blank') as (Window & typeof globalThis) | null;
  if (!shown) return false;
  const sheets: CSSStyleSheet[] = [];
  // Styles are extracted before parsing: the policy also applies to a document that is not shown.
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
