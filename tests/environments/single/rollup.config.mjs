import resolve from '@rollup/plugin-node-resolve';
export default {
  input: 'main.js',
  output: { file: 'built/bundle.js', format: 'iife' },
  plugins: [resolve({ browser: true })],
};
