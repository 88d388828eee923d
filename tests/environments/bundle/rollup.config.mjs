import resolve from '@rollup/plugin-node-resolve';
export default {
  input: 'main.js',
  output: { file: 'built/main.js', format: 'es' },
  plugins: [resolve({ browser: true })],
};
