import { noAsyncTidy } from './rules/no_async_tidy.js';
import { noEscapingTensor } from './rules/no_escaping_tensor.js';
import { noUnownedTensor } from './rules/no_unowned_tensor.js';
import { requireDispose } from './rules/require_dispose.js';

const rules = {
  'no-async-tidy': noAsyncTidy,
  'no-escaping-tensor': noEscapingTensor,
  'no-unowned-tensor': noUnownedTensor,
  'require-dispose': requireDispose,
};

/** Rules that find tensors that nobody owns. They need types: see README.md. */
const plugin = {
  meta: { name: 'eslint-plugin-tenure', version: '0.1.0', namespace: 'tenure' },
  rules,
  configs: {},
};
plugin.configs.recommended = {
  name: 'tenure/recommended',
  plugins: { tenure: plugin },
  rules: Object.fromEntries(Object.keys(rules).map((name) => [`tenure/${name}`, 'error'])),
};

export default plugin;
