// The first script of a page in a browser whose driver cannot read the console: records errors and warnings in a list.
(() => {
  const problems = (globalThis.recordedProblems = []);
  for (const level of ['error', 'warn']) {
    const log = console[level];
    console[level] = (...words) => {
      problems.push(
        words.map((word) => (word instanceof Error ? `${word.name}: ${word.message}` : String(word))).join(' '),
      );
      log.apply(console, words);
    };
  }
  // In the capturing phase, because failures to load a file are dispatched to their elements only.
  addEventListener(
    'error',
    ({ error, message, target }) => {
      problems.push(error ? `${error}\n${error.stack}` : (message ?? `cannot load ${target.src ?? target.href}`));
    },
    true,
  );
  addEventListener('unhandledrejection', ({ reason }) => problems.push(`rejected: ${reason}\n${reason?.stack}`));
  addEventListener('securitypolicyviolation', ({ blockedURI, violatedDirective }) =>
    problems.push(`${violatedDirective} forbids ${blockedURI}`),
  );
})();
