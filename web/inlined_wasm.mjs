// The modules that hold wasm as text, for bundles that inline it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { withoutNames } from './wasm_file.mjs';

/**
 * Returns the sources of what scripts inline, functions that return compressed files: `first` the engine's first file, and
 * `parts` an object of the others by their names. `text` is the first file in a script of its own, which is not compressed in the
 * release build. `folder` has the files.
 */
export function inlinedModules(folder, files, debug) {
  const bytesOf = (file) => withoutNames(readFileSync(path.join(folder, file)));
  const compressed = (file) => asBase64(deflated(bytesOf(file)));
  const parts = files.filter((file) => file !== 'tenure.wasm');
  return {
    first: compressed('tenure.wasm'),
    text: debug ? compressed('tenure.wasm') : asText(bytesOf('tenure.wasm')),
    parts: `{\n${parts.map((file) => `"${file}": ${compressed(file)}`).join(',\n')}\n}`,
  };
}

/** Returns what inflate() of web/src/runtime/inflate.ts decompresses: the number of bytes, and a raw deflate stream. */
function deflated(bytes) {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return Buffer.concat([length, deflateRawSync(bytes, { level: 9 })]);
}

/**
 * Returns source of a function that returns the bytes, as text of characters below 256: when both are compressed, 2 % longer
 * than the file, where base64 is a third longer. The most frequent bytes become the characters that are one byte of UTF-8.
 */
function asText(bytes) {
  const met = new Array(256).fill(0);
  for (const byte of bytes) met[byte]++;
  const escapes = new Map([
    [0, '\\0'],
    [10, '\\n'],
    [13, '\\r'],
    [34, '\\"'],
    [92, '\\\\'],
  ]);
  const all = Array.from({ length: 256 }, (_, i) => i);
  const characters = [...all.filter((code) => !escapes.has(code)), ...escapes.keys()];
  const byCount = all.toSorted((a, b) => met[b] - met[a]);
  const written = [];
  const table = [];
  byCount.forEach((byte, i) => {
    written[byte] = escapes.get(characters[i]) ?? String.fromCharCode(characters[i]);
    table[characters[i]] = byte;
  });
  // No digit may follow \0, which would make an octal escape of both.
  const text = Array.from(bytes, (byte) => written[byte])
    .join('')
    .replace(/\\0(?=\d)/g, '\\x00')
    .replace(/<\//g, '<\\/');
  return `() => {
  const text = "${text}";
  const table = [${table}];
  if (text.length !== ${bytes.length}) throw new Error('The script was not read as UTF-8: <meta charset="utf-8"> belongs into the page');
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = table[text.charCodeAt(i)];
  return bytes;
}`;
}

/** asText() in ASCII for classic scripts: a page may read them in any character set. */
function asBase64(bytes) {
  return `() => Uint8Array.from(atob("${bytes.toString('base64')}"), (character) => character.charCodeAt(0))`;
}
