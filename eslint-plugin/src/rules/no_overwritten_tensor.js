import { classAround, contains, loopAround, nearest } from '../ancestors.js';
import { keyOf, mentionsByKey } from '../mentions.js';
import { bare, nameIn, nameOf } from '../nodes.js';
import { isInConstructor, isScoped, outermostFunction, unscopedFunctionAround, variableOf } from '../scopes.js';
import { tensorsIn } from '../tensors.js';

/** Functions that prepare what others use. */
const kSetups = /^_?(main|init|setup|start|load|build|create|open|connect|prepare|boot)/i;

/** Reports an assignment that replaces the only reference to a tensor, which nothing can dispose afterwards. */
export const noOverwrittenTensor = {
  meta: {
    type: 'suggestion',
    hasSuggestions: true,
    docs: { description: 'disallow overwriting a field or name whose tensor was not disposed' },
    messages: {
      overwritten: '`{{target}}` is overwritten, and the tensor that it held is never disposed.',
      dispose: 'Dispose the old tensor afterwards.',
    },
    schema: [],
  },
  create(context) {
    const tensors = tensorsIn(context);
    const { sourceCode } = tensors;
    const mentions = mentionsByKey();
    const assignments = [];
    const befores = new Map();
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
        if (node.operator === '=' && keyOf(node.left))
          assignments.push({ node, key: keyOf(node.left), owner: ownerOf(node.left, sourceCode) });
      },
      PropertyDefinition(node) {
        if (!node.static && !node.computed && node.value)
          assignments.push({ node, key: `this.${nameIn(node.key)}`, owner: node.parent.parent, isFirst: true });
      },
      VariableDeclarator(node) {
        if (node.id.type === 'Identifier' && node.init)
          assignments.push({ node, key: node.id.name, owner: sourceCode.getDeclaredVariables(node)[0], isFirst: true });
      },
      'Program:exit'() {
        const groupOf = groupsOf(assignments);
        for (const assignment of assignments) {
          const { node, key, owner, isFirst } = assignment;
          if (isFirst || !isLasting(node.right) || isSeenTo(assignment)) continue;
          const wasAssigned = () => hasTensorBefore(assignment, groupOf(assignment));
          const hadTensor = () =>
            isLater(node, owner) && groupOf(assignment).some((other) => other !== assignment && holdsNew(other));
          if (
            mentions.of(key).areIn(node.right) ||
            isAgain(node, owner) ||
            hadTensor() ||
            wasAssigned() ||
            isKeptEachTime(node, owner)
          ) {
            context.report({
              node: node.left,
              messageId: 'overwritten',
              data: { target: sourceCode.getText(node.left) },
              suggest: suggestions(node),
            });
          }
        }
      },
    };

    function holdsNew(assignment) {
      const value = valueOf(assignment);
      const name = value.type === 'CallExpression' ? nameOf(value.callee)?.name : undefined;
      return (assignment.holdsNew ??= tensors.isFresh(value) || name === 'keep');
    }

    /** True if the code around disposes what was there, hands it on, or only runs where there is nothing. */
    function isSeenTo({ node, key, owner }) {
      const outside = unscopedFunctionAround(node, tensors) ?? sourceCode.ast;
      const named = mentions.of(key);
      if (named.areEmptyAt(node, outside, tensors)) return true;
      // A dispose after the assignment disposes the new tensor, unless the code around runs again.
      const again = placeOfRepetition(node, owner, outside);
      const isReleased = again
        ? named.areReleasedIn(again, tensors) || named.areReleasedBetween(outside.range[0], node.range[1], tensors)
        : named.areReleasedBetween(outside.range[0], node.range[1], tensors);
      if (isReleased) return true;
      return [...named.releasingFunctions(tensors)].some((name) =>
        mentions.of(name).areIn({ range: [(outside.body?.range ?? outside.range)[0], node.range[0]] }),
      );
    }

    /** True if a function keeps another tensor each time that it runs, and is not one that runs once. */
    function isKeptEachTime(node, owner) {
      const value = bare(node.right);
      if (value.type !== 'CallExpression' || nameOf(value.callee)?.name !== 'keep' || !isLater(node, owner))
        return false;
      const around = unscopedFunctionAround(node, tensors);
      const declared = owner?.defs?.[0]?.node;
      return (
        around !== undefined &&
        !(declared && owner.defs[0].type === 'Variable' && contains(around, declared)) &&
        !runsOnce(around)
      );
    }

    /** True for what is called where it stands, a function with one call in the program itself, and what its name says to set up. */
    function runsOnce(node) {
      const { parent } = node;
      if (parent.type === 'CallExpression' && parent.callee === node) return true;
      const name =
        node.id ?? (/^(MethodDefinition|PropertyDefinition|Property)$/.test(parent.type) ? parent.key : parent.id);
      if (kSetups.test(name?.name ?? '')) return true;
      const variable = node.id
        ? sourceCode.getDeclaredVariables(node)[0]
        : parent.type === 'VariableDeclarator'
          ? sourceCode.getDeclaredVariables(parent)[0]
          : undefined;
      const calls = variable?.references.filter((reference) => reference.isRead()) ?? [];
      if (calls.length !== 1 || calls[0].identifier.parent.callee !== calls[0].identifier) return false;
      return (
        unscopedFunctionAround(calls[0].identifier, tensors) === undefined &&
        loopAround(calls[0].identifier) === undefined
      );
    }

    /** Returns the outermost loop around an assignment that keeps the name, or the function if the name is from outside it. */
    function placeOfRepetition(node, owner, outside) {
      const declared = owner?.defs?.[0]?.node;
      if (outside !== sourceCode.ast && !(declared && contains(outside, declared))) return outside;
      let found;
      for (let loop = loopAround(node); loop && !(declared && contains(loop, declared)); loop = loopAround(loop))
        found = loop;
      return found;
    }

    /** True if a statement that always runs before an assignment gave the name a tensor, and nothing between disposes it. */
    function hasTensorBefore(assignment, group) {
      befores.has(group) || befores.set(group, tensorsBefore(group));
      const before = befores.get(group).get(assignment);
      return Boolean(
        before &&
          isLasting(valueOf(before)) &&
          !mentions.of(assignment.key).areReleasedBetween(before.node.range[1], assignment.node.range[0], tensors),
      );
    }

    function suggestions(node) {
      const { parent } = node;
      if (parent.type !== 'ExpressionStatement' || !Array.isArray(parent.parent.body) || usesOld(scopeOf(node)))
        return [];
      const indent = ' '.repeat(parent.loc.start.column);
      const old = `const old = ${sourceCode.getText(node.left)};\n${indent}`;
      const dispose = `\n${indent}old${tensors.mayBeMissing(node.left) ? '?' : ''}.dispose();`;
      return [
        {
          messageId: 'dispose',
          fix: (fixer) => [fixer.insertTextBefore(parent, old), fixer.insertTextAfter(parent, dispose)],
        },
      ];
    }

    function usesOld(scope) {
      if (!scopesWithOld.has(scope))
        scopesWithOld.set(
          scope,
          scope.references.some(({ identifier }) => identifier.name === 'old'),
        );
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

const valueOf = ({ node }) => node.right ?? node.value ?? node.init;

/** Returns for each assignment of a group the last one before it whose statement stands in a block around both. */
function tensorsBefore(group) {
  const found = new Map();
  const open = [];
  for (const assignment of [...group].sort((a, b) => a.node.range[0] - b.node.range[0])) {
    const { node } = assignment;
    while (open.length > 0 && open.at(-1).block.range[1] < node.range[1]) open.pop();
    found.set(assignment, open.at(-1)?.assignment);
    const block = blockOf(node);
    if (block) open.push({ assignment, block });
  }
  return found;
}

/** Returns the block or the program that has a node as a statement of its own. */
function blockOf({ parent }) {
  const isStatement = /^(ExpressionStatement|VariableDeclaration)$/.test(parent.type);
  return isStatement && /^(BlockStatement|Program)$/.test(parent.parent.type) ? parent.parent : undefined;
}

/** True if the assignment is in a loop and its target was declared before the loop. */
function isAgain(node, owner) {
  const declared = owner?.defs?.[0]?.node;
  const loop = loopAround(node);
  return loop !== undefined && !(declared && contains(loop, declared));
}

/** True if the assignment is in a function that may run more than once: neither the program itself nor a constructor. */
function isLater(node, owner) {
  const place = outermostFunction(node);
  const declared = owner?.defs?.[0]?.node;
  if (!place || (declared && contains(place, declared))) return false;
  return !isInConstructor(node);
}
