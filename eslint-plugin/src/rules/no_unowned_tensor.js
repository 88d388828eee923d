import { isScoped, libraryOf } from '../scopes.js';
import { bare, tensorsIn } from '../tensors.js';

/** Reports a tensor made outside a scope that no name holds, so that nothing can dispose it. */
export const noUnownedTensor = {
  meta: {
    type: 'problem',
    hasSuggestions: true,
    docs: { description: 'disallow tensors that are dropped, chained or handed to an op outside a scope' },
    messages: {
      dropped: 'This makes a tensor that nobody owns: it is never freed.',
      chained: 'The tensor that `{{method}}` is called on is never freed: nothing holds it, and no scope is around it.',
      argument: 'The tensor that is made for this argument is never freed: nothing holds it, and no scope is around it.',
      tidy: 'Compute it in {{tf}}.tidy(), which frees what lies between.',
      dispose: 'Dispose it.',
    },
    schema: [],
  },
  create(context) {
    const tensors = tensorsIn(context);
    const tf = libraryOf(tensors.sourceCode)?.name;
    const tidied = (node) => {
      const chain = outermost(node, tensors);
      const text = chain && tensors.sourceCode.getText(chain);
      if (!tf || !chain || /\bawait\b/.test(text)) return [];
      return [{ messageId: 'tidy', data: { tf }, fix: (fixer) => fixer.replaceText(chain, `${tf}.tidy(() => ${text})`) }];
    };
    return {
      CallExpression(call) {
        const node = whole(call);
        if (!tensors.isFresh(node) || isScoped(node, tensors)) return;
        const { parent } = node;
        if (parent.type === 'ExpressionStatement') {
          const dispose = { messageId: 'dispose', fix: (fixer) => fixer.insertTextAfter(node, '.dispose()') };
          context.report({ node, messageId: 'dropped', suggest: tensors.isTensor(node) ? [dispose] : [] });
        } else if (isChained(node, tensors)) {
          const method = parent.property.name;
          context.report({ node, messageId: 'chained', data: { method }, suggest: tidied(parent.parent) });
        } else if (isArgument(node, tensors)) {
          context.report({ node, messageId: 'argument', suggest: tidied(argumentOf(node)) });
        }
      },
    };
  },
};

/** Returns the expression with its await and its type assertions. */
function whole(node) {
  return bare(node.parent) === bare(node) ? whole(node.parent) : node;
}

/** True if the node is the object of a method that does not dispose it. */
function isChained(node, tensors) {
  const { parent } = node;
  if (parent.type !== 'MemberExpression' || parent.object !== node || parent.computed) return false;
  if (parent.parent.type !== 'CallExpression' || parent.parent.callee !== parent) return false;
  return tensors.isTensor(node) && !/^(dispose|forEach|map)$/.test(parent.property.name);
}

function argumentOf(node) {
  const at = node.parent.type === 'ArrayExpression' ? node.parent : node;
  return at.parent.type === 'CallExpression' && at.parent.arguments.includes(at) ? at.parent : undefined;
}

function isArgument(node, tensors) {
  const call = argumentOf(node);
  return call !== undefined && tensors.isTensor(node) && tensors.isOp(call);
}

/** Returns the whole chain of calls around a call, unless it awaits: a tidy must not. */
function outermost(node, tensors) {
  let at = node;
  for (;;) {
    const { parent } = at;
    const isMethod = parent.type === 'MemberExpression' && parent.object === at && parent.parent.type === 'CallExpression' && parent.parent.callee === parent;
    if (isMethod) at = parent.parent;
    else if (argumentOf(at) && tensors.isOp(argumentOf(at))) at = argumentOf(at);
    else break;
  }
  return tensors.isPromise(at) ? undefined : at;
}
