import { bare } from '../nodes.js';
import { isScoped, libraryOf } from '../scopes.js';
import { tensorsIn } from '../tensors.js';

/** Reports a tensor made outside a scope that no name holds, so that nothing can dispose it. */
export const noUnownedTensor = {
  meta: {
    type: 'problem',
    hasSuggestions: true,
    docs: { description: 'disallow tensors that are dropped, chained or handed to an op outside a scope' },
    messages: {
      dropped: 'This tensor has no owner and is never freed.',
      chained:
        'The tensor that `{{method}}` is called on is never freed: no variable holds it, and no scope encloses it.',
      argument:
        'The tensor that is created for this argument is never freed: no variable holds it, and no scope encloses it.',
      several:
        'This creates {{count}} intermediate tensors that are never freed: no variable holds them, and no scope encloses them.',
      tidy: 'Compute it in {{tf}}.tidy(), which frees intermediate tensors.',
      dispose: 'Dispose it.',
    },
    schema: [],
  },
  create(context) {
    const tensors = tensorsIn(context);
    const tf = libraryOf(tensors.sourceCode)?.name;
    /** Unowned tensors of each expression, by its outermost call. One tidy() frees them all, so one report is enough. */
    const unowned = new Map();
    const outermosts = new WeakMap();

    /** Returns the call of which a call is a step: a method on its result, or an op that its result is an argument of. */
    const stepAround = (call) => {
      const node = whole(call);
      const { parent } = node;
      if (
        parent.type === 'MemberExpression' &&
        parent.object === node &&
        parent.parent.type === 'CallExpression' &&
        parent.parent.callee === parent
      ) {
        return parent.parent;
      }
      const around = argumentOf(node);
      return around && tensors.isOp(around) ? around : undefined;
    };
    /** Returns the outermost call of an expression. ESLint enters calls from the outside in, so that most are one step away. */
    const outermostOf = (call) => {
      const passed = [];
      let at = call;
      for (; !outermosts.has(at); ) {
        passed.push(at);
        const around = stepAround(at);
        if (!around) break;
        at = around;
      }
      const found = outermosts.get(at) ?? at;
      for (const each of passed) outermosts.set(each, found);
      return found;
    };
    const suggestTidy = (chain) => {
      const text = tensors.sourceCode.getText(chain);
      if (!tf || /\bawait\b/.test(text) || tensors.isPromise(chain)) return [];
      return [
        { messageId: 'tidy', data: { tf }, fix: (fixer) => fixer.replaceText(chain, `${tf}.tidy(() => ${text})`) },
      ];
    };
    const note = (call, found) => {
      const outermost = outermostOf(call);
      if (!unowned.has(outermost)) unowned.set(outermost, []);
      unowned.get(outermost).push(found);
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
          note(call, { node, messageId: 'chained', data: { method: parent.property.name } });
        } else if (isArgument(node, tensors)) {
          note(call, { node, messageId: 'argument' });
        }
      },
      'Program:exit'() {
        for (const [outermost, found] of unowned) {
          const report =
            found.length === 1 ? found[0] : { node: outermost, messageId: 'several', data: { count: found.length } };
          context.report({ ...report, suggest: suggestTidy(outermost) });
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
