import { withBase } from 'vitepress';

/** Returns the address of a module that a page's program imports. */
export function addressOf(name) {
  const files = { tenure: 'index.js', 'tenure/debug': 'debug/index.js', 'tenure/memory': 'memory.js' };
  return files[name] && new URL(withBase(`/tenure/${files[name]}`), location.href).href;
}

/** Loads an entry of the package, once per page. */
export function load(name) {
  return import(/* @vite-ignore */ addressOf(name));
}
