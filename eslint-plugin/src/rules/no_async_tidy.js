import { isFunction, nameOf } from '../nodes.js';
import { libraryOf } from '../scopes.js';
import { tensorsIn } from '../tensors.js';

/**
 * Reports an async function given to tidy(): a tidy ends when its function returns, so tensors made after an await have no
 * owner.
 */
export const noAsyncTidy = {
  meta: {
    type: 'problem',
    hasSuggestions: true,
    docs: { description: 'disallow async functions in tidy()' },
    messages: {
      async: 'tidy() ends at the first await of an async function: tensors that are created after it are never freed.',
      scopeAsync: 'Use scopeAsync(), which ends when the promise settles.',
    },
    schema: [],
  },
  create(context) {
    const tensors = tensorsIn(context);
    return {
      CallExpression(node) {
        const name = nameOf(node.callee);
        if (name?.name !== 'tidy' || !tensors.isOfLibrary(node.callee)) return;
        const given = node.arguments.at(-1);
        if (!given || !((isFunction(given) && given.async) || tensors.isAsyncFunction(given))) return;
        const isTenure = libraryOf(tensors.sourceCode)?.source.startsWith('tenure');
        const replace = {
          messageId: 'scopeAsync',
          fix: (fixer) => [fixer.replaceText(name, 'scopeAsync'), ...awaited(fixer, node)],
        };
        context.report({ node: given, messageId: 'async', suggest: isTenure ? [replace] : [] });
      },
    };
  },
};

/** Adds an await where the value was no promise before and the code can wait. */
function awaited(fixer, node) {
  if (node.parent.type === 'AwaitExpression') return [];
  let around = node.parent;
  while (around && !isFunction(around)) around = around.parent;
  return !around || around.async ? [fixer.insertTextBefore(node, 'await ')] : [];
}
