/**
 * Returns the programs of a page of Markdown: its blocks of `js`, which run in pages and in Node, and of `mjs` and `cjs`, which
 * run in Node only. A comment after a `console.log()` states what it prints.
 */
export function programsIn(text) {
  const title = /^# (.*)$/m.exec(text)?.[1] ?? '';
  const programs = [...text.matchAll(/^```(js|mjs|cjs)\n(.*?)^```$/gms)];
  return programs.map(([, language, code], i) => ({
    title: programs.length > 1 ? `${title}, ${i + 1}` : title,
    language,
    code,
    inPage: language === 'js',
    prints: [...code.matchAll(/^ *console\.log\(.*\); \/\/ ([^:\n]*)/gm)].map(([, value]) => value.trim()),
  }));
}
