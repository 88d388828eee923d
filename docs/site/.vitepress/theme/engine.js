import { withBase } from 'vitepress';

/** Where a program of a page finds what it imports. */
export function addressOf(name) {
  const files = { 'tenure': 'index.js', 'tenure/debug': 'debug/index.js', 'tenure/memory': 'memory.js' };
  return files[name] && new URL(withBase(`/tenure/${files[name]}`), location.href).href;
}

/** Loads an entry of the package, once for all of a page. */
export function load(name) {
  return import(/* @vite-ignore */ addressOf(name));
}
