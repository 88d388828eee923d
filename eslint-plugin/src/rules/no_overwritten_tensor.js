import { classAround, nearest } from '../ancestors.js';
import { keyOf, mentionsByKey } from '../mentions.js';
import { bare, nameIn, nameOf } from '../nodes.js';
import { isInConstructor, isScoped, outermostFunction, unscopedFunctionAround, variableOf } from '../scopes.js';
import { tensorsIn } from '../tensors.js';

const kLoops = /^(For|ForIn|ForOf|While|DoWhile)Statement$/;

/** Reports an assignment that replaces the only reference to a tensor, which nothing can dispose afterwards. */
export const noOverwrittenTensor = {
  meta: {
    type: 'suggestion',
    hasSuggestions: true,
    docs: { description: 'disallow overwriting a field or name whose tensor was not disposed' },
    messages: {
      overwritten: '`{{target}}` had a tensor, which nobody disposes.',
      dispose: 'Dispose the old one behind it.',
    },
    schema: [],
  },
  create(context) {
    const tensors = tensorsIn(context);
    const { sourceCode } = tensors;
    const mentions = mentionsByKey();
    const assignments = [];
    const scopesWithOld = new Map();
    /** sourceCode.getScope(), cached: it climbs the tree for each node. */
    const scopeOf = nearest((at) => {
      const scope = sourceCode.scopeManager.acquire(at, true) ?? undefined;
      return scope?.type === 'function-expression-name' ? scope.childScopes[0] : scope;
    });

    /** True if the value outlives the statement: a new tensor outside scopes, or one that is kept. */
    const isLasting = (node) => {
      const value = bare(node);
      const name = value.type === 'CallExpression' ? nameOf(value.callee)?.name : undefined;
      if (name === 'keep') return tensors.isOfLibrary(value.callee) && tensors.isTensor(node);
      return name !== 'run' && tensors.isFresh(node) && tensors.isTensor(node) && !isScoped(node, tensors);
    };

    return {
      ...mentions.listeners,
      AssignmentExpression(node) {
        if (node.operator === '=' && keyOf(node.left)) assignments.push({ node, key: keyOf(node.left), owner: ownerOf(node.left, sourceCode) });
      },
      PropertyDefinition(node) {
        if (!node.static && !node.computed && node.value) assignments.push({ node, key: `this.${nameIn(node.key)}`, owner: node.parent.parent, isFirst: true });
      },
      VariableDeclarator(node) {
        if (node.id.type === 'Identifier' && node.init) assignments.push({ node, key: node.id.name, owner: sourceCode.getDeclaredVariables(node)[0], isFirst: true });
      },
      'Program:exit'() {
        const groupOf = groupsOf(assignments);
        for (const assignment of assignments) {
          const { node, key, owner, isFirst } = assignment;
          if (isFirst || !isLasting(node.right) || isSeenTo(node, key)) continue;
          const hadTensor = () => isLater(node, owner) && groupOf(assignment).some((other) => other !== assignment && holdsNew(other));
          if (mentions.of(key).areIn(node.right) || isAgain(node, owner) || hadTensor()) {
            context.report({ node: node.left, messageId: 'overwritten', data: { target: sourceCode.getText(node.left) }, suggest: suggestions(node) });
          }
        }
      },
    };

    function holdsNew(assignment) {
      const { node } = assignment;
      const value = node.right ?? node.value ?? node.init;
      const name = value.type === 'CallExpression' ? nameOf(value.callee)?.name : undefined;
      return (assignment.holdsNew ??= tensors.isFresh(value) || name === 'keep');
    }

    /** True if the code around disposes the former value, passes it on, or tests whether there is one. */
    function isSeenTo(node, key) {
      const outside = unscopedFunctionAround(node, tensors) ?? sourceCode.ast;
      return mentions.of(key).areReleasedIn(outside, tensors);
    }

    function suggestions(node) {
      const { parent } = node;
      if (parent.type !== 'ExpressionStatement' || !Array.isArray(parent.parent.body) || usesOld(scopeOf(node))) return [];
      const indent = ' '.repeat(parent.loc.start.column);
      const old = `const old = ${sourceCode.getText(node.left)};\n${indent}`;
      const dispose = `\n${indent}old${tensors.mayBeMissing(node.left) ? '?' : ''}.dispose();`;
      return [{ messageId: 'dispose', fix: (fixer) => [fixer.insertTextBefore(parent, old), fixer.insertTextAfter(parent, dispose)] }];
    }

    function usesOld(scope) {
      if (!scopesWithOld.has(scope)) scopesWithOld.set(scope, scope.references.some(({ identifier }) => identifier.name === 'old'));
      return scopesWithOld.get(scope);
    }
  },
};

/** Returns a function that returns all assignments to the same name or field of the same owner, the given one included. */
function groupsOf(assignments) {
  const byOwner = new Map();
  for (const assignment of assignments) {
    const { key, owner } = assignment;
    if (!byOwner.has(owner)) byOwner.set(owner, new Map());
    const byKey = byOwner.get(owner);
    if (!byKey.has(key)) byKey.set(key, []);
    byKey.get(key).push(assignment);
  }
  return ({ key, owner }) => byOwner.get(owner).get(key);
}

/** Returns whose name or field it is: a variable, or the class around. */
function ownerOf(node, sourceCode) {
  let root = node;
  while (root.type === 'MemberExpression') root = root.object;
  return root.type === 'Identifier' ? variableOf(root, sourceCode) : classAround(node);
}

const loopAround = nearest((node) => (kLoops.test(node.type) || /Function/.test(node.type) ? node : undefined));

/** True if the assignment is in a loop and its target was declared before the loop. */
function isAgain(node, owner) {
  const declared = owner?.defs?.[0]?.node;
  const loop = loopAround(node.parent);
  if (!loop || !kLoops.test(loop.type)) return false;
  return !(declared && loop.range[0] <= declared.range[0] && declared.range[1] <= loop.range[1]);
}

/** True if the assignment is in a function that may run more than once: neither the program itself nor a constructor. */
function isLater(node, owner) {
  const place = outermostFunction(node);
  const declared = owner?.defs?.[0]?.node;
  if (!place || (declared && place.range[0] <= declared.range[0] && declared.range[1] <= place.range[1])) return false;
  return !isInConstructor(node);
}
