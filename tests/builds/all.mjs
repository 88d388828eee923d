/** The builds in dist/ that Node can load, except index.js, on which the tests run by default. */
export const kBuilds = [
  ...['node.js', 'node.cjs', 'inlined.js', 'inlined.cjs', 'no_await.js', 'tenure.single.min.js'],
  ...['debug/index.js', 'debug/node.cjs', 'debug/inlined.cjs'],
];
