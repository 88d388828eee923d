import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { build } from 'esbuild';

const { outputFiles } = await build({ entryPoints: ['web/src/debug/stack.ts'], format: 'esm', write: false });
const { parseStack, formatPosition } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);

/** Returns frames as "name file line:column". */
const parsed = (stack) => parseStack(stack).map(({ name, file, line, column }) => `${name} ${file} ${line}:${column}`);

const v8 = `Error: no
 at this line the message goes on
    at zeros (file:///home/me/node_modules/tenure/dist/debug/index.js:812:10)
    at Tensor.method [as add] (http://localhost:5173/node_modules/.vite/deps/tenure.js?v=1f2e:3:4)
    at new Net (file:///home/me/src/net%20(copy)/net.js:10:5)
    at Array.map (<anonymous>)
    at Object.<anonymous> (C:\\Users\\me\\app.js:7:9)
    at async Promise.all (index 0)
    at async main (webpack://app/./src/main.ts?9f3a:22:3)
    at async file:///home/me/app.mjs:3:1
    at blob:http://localhost:5173/0e3c-11:5:6
    at eval (eval at run (https://example.org/app.js:10:12), <anonymous>:1:4)
    at eval (eval at <anonymous> (eval at run (https://example.org/app.js:11:13)), <anonymous>:1:1)
    at tenure.wasm.tn_unary (wasm://wasm/tenure.wasm-0a1b2c:wasm-function[77]:0x1f3a)
    at wasm://wasm/0a1b2c:1:5004
    at node:internal/process/task_queues:95:5`;

test('stacks of V8', () => {
  assert.deepEqual(parsed(v8), [
    'zeros file:///home/me/node_modules/tenure/dist/debug/index.js 812:10',
    'add http://localhost:5173/node_modules/.vite/deps/tenure.js?v=1f2e 3:4',
    'Net file:///home/me/src/net%20(copy)/net.js 10:5',
    ' C:\\Users\\me\\app.js 7:9',
    'main webpack://app/./src/main.ts?9f3a 22:3',
    ' file:///home/me/app.mjs 3:1',
    ' blob:http://localhost:5173/0e3c-11 5:6',
    'eval https://example.org/app.js 10:12',
    'eval https://example.org/app.js 11:13',
    ' node:internal/process/task_queues 95:5',
  ]);
});

const spiderMonkey = `zeros@http://localhost:5173/deps/tenure.js?v=1f2e:812:10
Net/this.go<@http://localhost:5173/src/@me/net.js:10:5
@http://localhost:5173/src/app.js:3:1
async*main@webpack:///./src/main.ts:22:3
promise callback*start@moz-extension://0e3c/start.js:4:5
run@https://example.org/app.js line 10 > eval:1:4
anonymous@https://example.org/app.js line 11 > Function:3:1
@blob:http://localhost:5173/0e3c-11:5:6
tn_unary@http://localhost:5173/tenure.wasm:wasm-function[77]:0x1f3a
main@file:///C:/Users/me/app.js:7:9
`;

test('stacks of SpiderMonkey', () => {
  assert.deepEqual(parsed(spiderMonkey), [
    'zeros http://localhost:5173/deps/tenure.js?v=1f2e 812:10',
    'go http://localhost:5173/src/@me/net.js 10:5',
    ' http://localhost:5173/src/app.js 3:1',
    'main webpack:///./src/main.ts 22:3',
    'start moz-extension://0e3c/start.js 4:5',
    'run https://example.org/app.js 10:0',
    'anonymous https://example.org/app.js 11:0',
    ' blob:http://localhost:5173/0e3c-11 5:6',
    'main file:///C:/Users/me/app.js 7:9',
  ]);
});

const javaScriptCore = `zeros@http://localhost:5173/deps/tenure.js:812:10
map@[native code]
http://localhost:5173/src/app.js:3:1
@http://localhost:5173/src/@me/app.js:4:2
async main@http://localhost:5173/src/main.js:22:3
<?>.wasm-function[77]@[wasm code]
eval code@
eval@[native code]
module code@http://localhost:5173/src/start.js:1:5
global code@file:///Users/me/old.js:9
blob:http://localhost:5173/0e3c-11:5:6`;

test('stacks of JavaScriptCore', () => {
  assert.deepEqual(parsed(javaScriptCore), [
    'zeros http://localhost:5173/deps/tenure.js 812:10',
    ' http://localhost:5173/src/app.js 3:1',
    ' http://localhost:5173/src/@me/app.js 4:2',
    'main http://localhost:5173/src/main.js 22:3',
    ' http://localhost:5173/src/start.js 1:5',
    ' file:///Users/me/old.js 9:0',
    ' blob:http://localhost:5173/0e3c-11 5:6',
  ]);
});

test('text that is no stack has no frames', () => {
  assert.deepEqual(parsed(''), []);
  assert.deepEqual(parsed('Error: at home (see page:1:2)'), []);
});

test('sites omit the common prefix of a program’s paths', () => {
  const rows = [
    ['file:///home/me/app/src/a%20b.js', '/home/me/app', 'src/a b.js:3:4'],
    ['file:///home/you/lib.js', '/home/me/app', '/home/you/lib.js:3:4'],
    ['file:///home/me/app/100%.js', '/home/me/app', '100%.js:3:4'],
    ['file:///app/main.js', '/', '/app/main.js:3:4'],
    ['/home/me/app/src/main.js', '/home/me/app/', 'src/main.js:3:4'],
    ['file:///C:/Users/me/app/src/main.js', 'C:\\Users\\me\\app', 'src/main.js:3:4'],
    ['C:\\Users\\me\\app\\src\\main.js', 'C:\\Users\\me\\app', 'src/main.js:3:4'],
    ['D:\\lib\\main.js', 'C:\\Users\\me\\app', 'D:\\lib\\main.js:3:4'],
    ['http://localhost:5173/src/app.ts?t=17#x', 'http://localhost:5173', 'src/app.ts:3:4'],
    ['https://cdn.example/lib.js', 'http://localhost:5173', 'https://cdn.example/lib.js:3:4'],
    ['webpack://app/./src/main.ts?9f3a', 'http://localhost:8080', 'src/main.ts:3:4'],
    ['webpack-internal:///./src/main.ts', '', 'src/main.ts:3:4'],
    ['blob:http://localhost:5173/0e3c', 'http://localhost:5173', 'blob:http://localhost:5173/0e3c:3:4'],
  ];
  for (const [file, home, text] of rows)
    assert.equal(formatPosition({ name: '', file, line: 3, column: 4 }, home), text);
  assert.equal(formatPosition({ name: '', file: 'a.js', line: 3, column: 0 }, ''), 'a.js:3');
});

test('an engine with textual stacks reports the same lines', () => {
  const program = `
    Object.defineProperty(Error, 'prepareStackTrace', { get: () => undefined, set: () => {} });
    const tf = await import(${JSON.stringify(new URL('../../../dist/debug/index.js', import.meta.url))});
    const normed = tf.tensor([3, 4]).euclideanNorm();
    console.log(JSON.stringify(tf.debug.snapshot().tensors.map(({ op, site }) => [op, site.replace(/.*:(\\d+:\\d+)$/, '$1')])));`;
  const output = execFileSync('node', ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  assert.deepEqual(JSON.parse(output), [
    ['tensor', '4:23'],
    ['euclideanNorm', '4:38'],
  ]);
});
