import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const kTypes = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.csv': 'text/csv',
  '.wasm': 'application/wasm',
  '.bin': 'application/octet-stream',
  '.onnx': 'application/octet-stream',
  '.tflite': 'application/octet-stream',
};

/** The strictest policy that allows wasm: no inline scripts, and no eval. */
const kPolicy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'";

/** Headers for cross-origin isolation. */
const kIsolation = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

/** Records a page's console messages, for browsers whose driver cannot read them. */
const kRecorder = new URL('drivers/recorder.js', import.meta.url);

/**
 * Serves folders, each under a path prefix, on a local port, by default a free one; pages may be isolated. With `records` each
 * page begins with drivers/recorder.js. Throws if the port is taken.
 */
export async function serve(folders, { policy = kPolicy, isolated = false, records = false, port = 0 } = {}) {
  const prefixes = Object.keys(folders).sort((a, b) => b.length - a.length);
  const server = createServer(({ url }, response) => {
    const name = decodeURIComponent(new URL(url, 'http://localhost').pathname);
    const prefix = prefixes.find((candidate) => name.startsWith(candidate));
    const isRecorder = records && name === '/recorder.js';
    const file = isRecorder ? fileURLToPath(kRecorder) : path.join(folders[prefix], name.slice(prefix.length));
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'Content-Type': kTypes[path.extname(file)],
      'Content-Security-Policy': policy,
      ...(isolated ? kIsolation : {}),
    });
    if (!records || path.extname(file) !== '.html') createReadStream(file).pipe(response);
    // On the doctype's line, so that line numbers stay the same.
    else
      response.end(readFileSync(file, 'utf8').replace(/^<!doctype html>/i, '$&<script src="/recorder.js"></script>'));
  });
  await new Promise((resolve, reject) => {
    server.once('error', ({ code, message }) =>
      reject(new Error(code === 'EADDRINUSE' ? `port ${port} is taken: choose another one` : message)),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
