// `TENURE_BUILD=inlined.cjs node --import ./tests/builds/hooks.mjs ...`: imports of dist/index.js resolve to that build.
import { readFileSync } from 'node:fs';
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const { TENURE_BUILD } = process.env;
const dist = new URL('../../dist/', import.meta.url);
const replaced = new URL('index.js', dist).href;
const instead = new URL(TENURE_BUILD ?? '', dist);
const kNone = 'tenure-build:';

/** How an ES module imports a build that is not one. */
const kTaken = {
  cjs: `import { createRequire } from 'node:module';
    const tf = createRequire('${dist}')('${instead.pathname}');`,
  script: `import { readFileSync } from 'node:fs';
    import vm from 'node:vm';
    vm.runInThisContext(readFileSync(new URL('${instead}')), { filename: '${instead.pathname}' });
    const { tf } = globalThis;`,
};

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  if (found.url !== replaced) return found;
  // A module of this folder awaits a build that has to be awaited.
  if (TENURE_BUILD === 'no_await.js') return { ...found, url: new URL('no_await.mjs', import.meta.url).href };
  const kind = TENURE_BUILD.endsWith('.cjs') ? 'cjs' : TENURE_BUILD.endsWith('.min.js') ? 'script' : undefined;
  return kind ? { url: kNone + kind, format: 'module', shortCircuit: true } : { ...found, url: instead.href };
}

export async function load(url, context, next) {
  if (!url.startsWith(kNone)) return next(url, context);
  const source = `${kTaken[url.slice(kNone.length)]}\nexport const { ${names()} } = tf;`;
  return { format: 'module', source, shortCircuit: true };
}

/** Returns the names that all builds export, read from the end of one that is a module. */
function names() {
  const code = readFileSync(new URL('inlined.js', dist), 'utf8');
  const [, list] = /export ?\{([^{}]*)\};?\s*$/.exec(code);
  return list
    .split(',')
    .map((each) => each.trim().split(' as ').at(-1))
    .join(', ');
}

if (isMainThread && TENURE_BUILD) register(import.meta.url);
