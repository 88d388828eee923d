// The modules that hold wasm as text, for bundles that inline it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { withoutNames } from './wasm_file.mjs';

/**
 * Returns the contents of the modules that hold wasm, as functions of an encoding, by name: the engine's first file, and the
 * object of its parts. `folder` has the files.
 */
export function inlinedModules(folder, files) {
  const encoded = (file, encode) => encode(withoutNames(readFileSync(path.join(folder, file))));
  const parts = files.filter((file) => file !== 'tenure.wasm');
  return {
    'tenure.wasm': (encode) => encoded('tenure.wasm', encode),
    'tenure.parts': (encode) => `{\n${parts.map((file) => `"${file}": ${encoded(file, encode)}`).join(',\n')}\n}`,
  };
}

/**
 * Returns source of a function that returns the bytes, as text of characters below 256: when both are compressed, 2 % longer
 * than the file, where base64 is a third longer. The most frequent bytes become the characters that are one byte of UTF-8.
 */
export function asText(bytes) {
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
export function asBase64(bytes) {
  return `() => Uint8Array.from(atob("${bytes.toString('base64')}"), (character) => character.charCodeAt(0))`;
}
