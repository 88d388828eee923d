// The first script of a page whose browser's driver cannot read the console: notes errors and warnings in a list.
(() => {
  const problems = (globalThis.recordedProblems = []);
  for (const level of ['error', 'warn']) {
    const log = console[level];
    console[level] = (...words) => {
      problems.push(words.map((word) => (word instanceof Error ? `${word.name}: ${word.message}` : String(word))).join(' '));
      log.apply(console, words);
    };
  }
  // In the capturing phase, as files that cannot be loaded tell it to their elements alone.
  addEventListener('error', ({ error, message, target }) => {
    problems.push(error ? `${error}\n${error.stack}` : (message ?? `cannot load ${target.src ?? target.href}`));
  }, true);
  addEventListener('unhandledrejection', ({ reason }) => problems.push(`rejected: ${reason}\n${reason?.stack}`));
  addEventListener('securitypolicyviolation', ({ blockedURI, violatedDirective }) => problems.push(`${violatedDirective} forbids ${blockedURI}`));
})();
