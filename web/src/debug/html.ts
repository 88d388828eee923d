import { findings } from './diagnostics.js';
import { history } from './events.js';
import { live, namedScopes, type TimelineEntry } from './ledger_records.js';
import { formatCount, formatBytes, type ScopeRecord, type TensorRecord } from './records.js';
import { groups } from './report.js';

const kWidth = 960;
const kHeight = 160;
const kMaxNestedLists = 64;

const kStyle = `
:root { color-scheme: light dark; --ink: #1c2024; --faint: #60646c; --line: #d9d9e0; --paper: #fff; --mark: #0b68cb; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root { --ink: #edeef0; --faint: #b0b4ba; --line: #43484e; --paper: #18191b; --mark: #70b8ff; --bad: #ff9592 } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin-top: 2rem }
p { color: var(--faint) }
code { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top }
.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
.bad { color: var(--bad) }
svg { width: 100%; height: auto; border: 1px solid var(--line) }
path { fill: none; stroke: var(--mark); stroke-width: 1.5; vector-effect: non-scaling-stroke }`;

/** Returns a report as an HTML page in one file: bytes over time, call sites, the tree of scopes, and findings. */
export function toHTML(): string {
  const moments = history();
  const sites = groups('site');
  const numBytes = sites.reduce((sum, group) => sum + group.numBytes, 0);
  const numTensors = sites.reduce((sum, group) => sum + group.numTensors, 0);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Tenure: tensors alive</title>
<style>${kStyle}
</style>
<h1>${formatCount(numTensors)} alive, ${formatBytes(numBytes)}</h1>
<h2>Bytes over time</h2>
${timeline(moments)}
<h2>Who made what is alive</h2>
${table(
  ['tensors', 'bytes', 'lost', 'made by', 'type'],
  sites.map((group) => [
    String(group.numTensors),
    formatBytes(group.numBytes),
    String(group.numLost),
    `<code>${escape(group.key)}</code>`,
    `<code>${escape(group.types.join(', '))}</code>`,
  ]),
)}
<h2>Open scopes</h2>
${scopeTree()}
<h2>Findings</h2>
${table(['count', 'what', 'message'], countedFindings())}
</html>
`;
}

/** Returns a table row for each distinct finding, with its count. */
function countedFindings(): string[][] {
  const counts = new Map<string, number>();
  for (const { kind, message } of findings()) {
    const cells = `<span class="bad">${kind}</span>\0<code>${escape(message)}</code>`;
    counts.set(cells, (counts.get(cells) ?? 0) + 1);
  }
  return [...counts].map(([cells, count]) => [String(count), ...cells.split('\0')]);
}

function timeline(all: readonly TimelineEntry[]): string {
  const moments = all.filter(({ kind }) => kind === 'allocate' || kind === 'free');
  if (moments.length === 0) return '<p>Nothing was made yet.</p>';
  const start = moments[0]!.time;
  const length = Math.max(moments.at(-1)!.time - start, 1e-3);
  const most = moments.reduce((peak, { bytes }) => Math.max(peak, bytes), 1);
  let path = `M0 ${kHeight}`;
  for (const { time, bytes } of moments) {
    path += `H${round(((time - start) / length) * kWidth)}V${round(kHeight * (1 - bytes / most))}`;
  }
  return `<svg viewBox="0 -4 ${kWidth} ${kHeight + 8}" preserveAspectRatio="none" role="img" aria-label="Bytes of tensors over time"><path d="${path}"/></svg>
<p>${(length / 1000).toFixed(2)} s, at most ${formatBytes(most)}</p>`;
}

function round(x: number): number {
  return Math.round(x * 10) / 10;
}

function table(head: string[], rows: string[][]): string {
  if (rows.length === 0) return '<p>None.</p>';
  const cell = (tag: string) => (text: string) =>
    `<${tag}${/^[\d.]+( [KMG]?B)?$/.test(text) ? ' class="n"' : ''}>${text}</${tag}>`;
  return `<table>
<tr>${head.map(cell('th')).join('')}</tr>
${rows.map((row) => `<tr>${row.map(cell('td')).join('')}</tr>`).join('\n')}
</table>`;
}

/** Returns the tree of open scopes as nested lists, each scope with the number and bytes of the tensors that it owns itself. */
function scopeTree(): string {
  const owned = new Map<ScopeRecord, TensorRecord[]>();
  for (const record of live.values()) {
    if (typeof record.owner === 'object') owned.set(record.owner, [...(owned.get(record.owner) ?? []), record]);
  }
  const inside = new Map<ScopeRecord | undefined, ScopeRecord[]>();
  for (const scope of namedScopes) {
    let around = scope.parent;
    while (around && !namedScopes.has(around)) around = around.parent;
    const children = inside.get(around);
    if (children) children.push(scope);
    else inside.set(around, [scope]);
  }
  let html = '';
  // Without recursion, since scopes may be nested to any depth. Lists are nested kMaxNestedLists deep at most.
  const waiting: (ScopeRecord | string)[] = [];
  const list = (around: ScopeRecord | undefined, depth: number) => {
    const children = inside.get(around)?.reverse() ?? [];
    const [open, close] = children.length > 0 && depth < kMaxNestedLists ? ['<ul>', '</ul>'] : ['', ''];
    html += open;
    waiting.push(close);
    for (const child of children) waiting.push(child);
    return depth + (open ? 1 : 0);
  };
  let depth = list(undefined, 0);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') {
      html += next;
      if (next) depth--;
      continue;
    }
    const records = owned.get(next) ?? [];
    const bytes = records.reduce((sum, record) => sum + record.bytes, 0);
    const where = next.site ? ` at ${next.site.text}` : '';
    html += `<li><code>${escape(next.label! + where)}</code>: ${formatCount(records.length)}, ${formatBytes(bytes)}`;
    depth = list(next, depth);
  }
  return html || '<p>None.</p>';
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
