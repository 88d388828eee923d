const kText = `
:host {
  --ink: #17212b; --faint: #54616e; --paper: #ffffff; --edge: #c3ccd5; --mark: #0067a6; --bad: #b54800;
  position: fixed; z-index: 2147483000; right: 0.75rem; bottom: 0.75rem; max-width: calc(100vw - 1.5rem);
  color-scheme: light dark; color: var(--ink); font: 13px/1.4 system-ui, sans-serif; font-variant-numeric: tabular-nums;
}
@media (prefers-color-scheme: dark) {
  :host { --ink: #e7ecf1; --faint: #a3b0bd; --paper: #19212a; --edge: #435261; --mark: #6bbcf5; --bad: #ff9c5a; }
}
:host([place~="left"]) { right: auto; left: 0.75rem }
:host([place~="top"]) { bottom: auto; top: 0.75rem }
:host([place="here"]) { position: static; display: block }
:host([hidden]) { display: none }
section { border: 1px solid var(--edge); border-radius: 0.5rem; background: var(--paper); box-shadow: 0 2px 12px #0003 }
button { font: inherit; color: inherit; cursor: pointer; border: 1px solid var(--edge); border-radius: 0.35rem; background: none; padding: 0.25rem 0.5rem }
button:hover { border-color: var(--ink) }
button:focus-visible, .scroll:focus-visible { outline: 2px solid var(--mark); outline-offset: 1px }
.head { display: flex; gap: 0.5rem; width: 100%; min-height: 2rem; border: 0; border-radius: 0.5rem; text-align: left; align-items: center }
.head b { flex: 1; font-weight: 600 }
.head.grows b { color: var(--bad) }
.body { padding: 0 0.6rem 0.6rem; width: 21rem; max-width: 100%; box-sizing: border-box }
dl { display: grid; grid-template-columns: auto auto 1fr; gap: 0.15rem 0.7rem; align-items: center; margin: 0 0 0.5rem }
dt { color: var(--faint) }
dd { margin: 0; text-align: right; white-space: nowrap }
svg { width: 100%; height: 1.6rem; display: block }
path { fill: none; stroke: var(--mark); stroke-width: 1.5; vector-effect: non-scaling-stroke }
.scroll { max-height: 11rem; overflow: auto; margin-bottom: 0.5rem }
table { border-collapse: collapse; width: 100%; font-size: 12px }
th, td { padding: 0.15rem 0.3rem; text-align: right; vertical-align: top; border-top: 1px solid var(--edge); white-space: nowrap }
th:first-child { text-align: left; white-space: normal; overflow-wrap: anywhere; font-weight: 400 }
thead th { color: var(--faint); border-top: 0; font-weight: 400 }
.more th, .more td { color: var(--bad); font-weight: 600 }
.actions { display: flex; flex-wrap: wrap; gap: 0.4rem; align-items: center }
p { margin: 0 0 0.5rem; color: var(--faint) }
.actions p { margin: 0 }
[hidden] { display: none }
`;

let sheet: CSSStyleSheet | undefined;

/** Returns the element's style as a constructed sheet, which a content security policy without inline styles allows. */
export function styleSheet(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(kText);
  }
  return sheet;
}
