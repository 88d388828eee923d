// `TENURE_BUILD=inlined.js node --import ./tests/builds/hooks.mjs ...`: what imports dist/index.js gets that build instead.
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const { TENURE_BUILD } = process.env;

/** A build that a program has to wait for is waited for by a module of this folder. */
function instead() {
  if (TENURE_BUILD === 'no_await.js') return new URL('no_await.mjs', import.meta.url).href;
  return new URL(`../../dist/${TENURE_BUILD}`, import.meta.url).href;
}

const replaced = new URL('../../dist/index.js', import.meta.url).href;

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  return found.url === replaced ? { ...found, url: instead() } : found;
}

if (isMainThread && TENURE_BUILD) register(import.meta.url);
