import { noAsyncTidy } from './rules/no_async_tidy.js';
import { noEscapingTensor } from './rules/no_escaping_tensor.js';
import { noOverwrittenTensor } from './rules/no_overwritten_tensor.js';
import { noUnownedTensor } from './rules/no_unowned_tensor.js';
import { requireDispose } from './rules/require_dispose.js';

const rules = {
  'no-async-tidy': noAsyncTidy,
  'no-escaping-tensor': noEscapingTensor,
  'no-overwritten-tensor': noOverwrittenTensor,
  'no-unowned-tensor': noUnownedTensor,
  'require-dispose': requireDispose,
};

/** Rules that find tensors that nobody owns. They find more in files that are parsed with types: see README.md. */
const plugin = {
  meta: { name: 'eslint-plugin-tenure', version: '0.1.0', namespace: 'tenure' },
  rules,
  configs: {},
};
plugin.configs.recommended = {
  name: 'tenure/recommended',
  plugins: { tenure: plugin },
  // Rules of type `suggestion` rely on likelihood, so they warn.
  rules: Object.fromEntries(
    Object.entries(rules).map(([name, { meta }]) => [`tenure/${name}`, meta.type === 'suggestion' ? 'warn' : 'error']),
  ),
};

export default plugin;
