/** The builds in dist/ that Node can load, but for index.js, on which its tests run by default. */
export const kBuilds = [
  ...['node.js', 'node.cjs', 'inlined.js', 'inlined.cjs', 'no_await.js', 'tenure.single.min.js'],
  ...['debug/index.js', 'debug/node.cjs', 'debug/inlined.cjs'],
];
