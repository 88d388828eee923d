import resolve from '@rollup/plugin-node-resolve';
export default {
  input: 'found.js',
  output: { file: 'built/bundle.js', format: 'iife' },
  plugins: [resolve({ browser: true })],
};
