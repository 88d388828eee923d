/** Returns the docstring of generated code, given a list row's documentation and an example. */
export function docstring(text, example) {
  const lines = [text, ...(example ? ['@example', ...example.split('\n')] : [])];
  return lines.length === 1 ? `/** ${text} */\n` : `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
}
