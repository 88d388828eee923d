import { nearest } from '../ancestors.js';
import { isFunction, nameOf } from '../nodes.js';
import { libraryOf, scopeAround, scopeCall, variableOf } from '../scopes.js';
import { tensorsIn } from '../tensors.js';

/** Functions that run their argument later, after the scope around the call has closed. */
const kLater =
  /^(setTimeout|setInterval|setImmediate|requestAnimationFrame|requestIdleCallback|queueMicrotask|addEventListener|then|catch|finally|on|once|nextTick)$/;

/** Reports references that leave a scope: the scope disposes the tensor, and the reference stays. */
export const noEscapingTensor = {
  meta: {
    type: 'problem',
    hasSuggestions: true,
    docs: { description: 'disallow tensors that outlive their scope without keep()' },
    messages: {
      assigned: '`{{target}}` outlives the scope that frees this tensor.',
      pushed: '`{{target}}` outlives the scope that frees this tensor.',
      later: '`{{name}}` is freed by its scope before this function runs.',
      keep: 'Pass it to {{tf}}.keep().',
    },
    schema: [],
  },
  create(context) {
    const tensors = tensorsIn(context);
    const { sourceCode } = tensors;
    const tf = libraryOf(sourceCode)?.name;
    const kept = (node) =>
      tf ? [{ messageId: 'keep', data: { tf }, fix: (fixer) => wrapped(fixer, node, `${tf}.keep(`) }] : [];
    /** Returns the function that is run later around a node inside its scope; null where the scope comes first. */
    const laterAt = nearest((node) => {
      if (!isFunction(node)) return undefined;
      if (scopeCall(node, tensors)) return null;
      return isRunLater(node) ? node : undefined;
    });
    const isLocal = (node, scope) => {
      const variable = variableOf(node, sourceCode);
      return variable !== undefined && variable.defs.some(({ node: at }) => contains(scope, at));
    };
    /** True if a tensor belongs to the scope: made in it, or held by a name declared in it. */
    const isOfScope = (node, scope) => {
      if (tensors.isFresh(node)) return true;
      if (node.type !== 'Identifier' || !tensors.isTensor(node) || !isLocal(node, scope)) return false;
      return variableOf(node, sourceCode).defs.some(({ node: at }) => tensors.isFresh(at.init));
    };
    return {
      AssignmentExpression(node) {
        const scope = scopeAround(node, tensors);
        if (!scope || node.operator !== '=' || !isOfScope(node.right, scope)) return;
        const root = rootOf(node.left);
        if (root?.type === 'Identifier' && isLocal(root, scope)) return;
        const target = sourceCode.getText(node.left);
        context.report({ node: node.right, messageId: 'assigned', data: { target }, suggest: kept(node.right) });
      },
      CallExpression(node) {
        const scope = scopeAround(node, tensors);
        if (!scope || !/^(push|unshift|set|add)$/.test(nameOf(node.callee)?.name ?? '')) return;
        const { callee } = node;
        if (callee.type !== 'MemberExpression' || !tensors.isCollection(callee.object)) return;
        const root = rootOf(callee.object);
        if (root?.type === 'Identifier' && isLocal(root, scope)) return;
        for (const argument of node.arguments) {
          if (!isOfScope(argument, scope)) continue;
          context.report({
            node: argument,
            messageId: 'pushed',
            data: { target: sourceCode.getText(callee.object) },
            suggest: kept(argument),
          });
        }
      },
      Identifier(node) {
        const scope = scopeAround(node, tensors);
        const later = scope && laterAt(node.parent);
        if (!later || node.parent.type === 'VariableDeclarator' || !tensors.isTensor(node)) return;
        const variable = variableOf(node, sourceCode);
        const at = variable?.defs[0]?.node;
        if (!at || contains(later, at) || !contains(scope, at) || !tensors.isFresh(at.init)) return;
        context.report({ node, messageId: 'later', data: { name: node.name }, suggest: kept(at.init) });
      },
    };
  },
};

function* wrapped(fixer, node, before) {
  yield fixer.insertTextBefore(node, before);
  yield fixer.insertTextAfter(node, ')');
}

function rootOf(node) {
  let at = node;
  while (at.type === 'MemberExpression') at = at.object;
  return at;
}

/** True if a function is an argument of a call that runs it later. */
function isRunLater(node) {
  const { parent } = node;
  return (
    parent.type === 'CallExpression' &&
    parent.arguments.includes(node) &&
    kLater.test(nameOf(parent.callee)?.name ?? '')
  );
}

const contains = (outer, inner) => outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];
