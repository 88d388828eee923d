/** What a list says of a row and an example, as the docstring of what is generated of it. */
export function docstring(text, example) {
  const lines = [text, ...(example ? ['@example', ...example.split('\n')] : [])];
  return lines.length === 1 ? `/** ${text} */\n` : `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
}
