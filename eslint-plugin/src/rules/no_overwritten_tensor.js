import { functionsAround, isScoped, scopeCall } from '../scopes.js';
import { bare, nameOf, tensorsIn } from '../tensors.js';

const kLoops = /^(For|ForIn|ForOf|While|DoWhile)Statement$/;
const kTests = /^(IfStatement|ConditionalExpression|LogicalExpression|SwitchStatement)$/;

/** A name or field that gets another tensor lets go of the one that it had, which nobody can free from then on. */
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
    const assignments = [];

    /** What stays when the statement is over: a new tensor outside of scopes, or one that is kept. */
    const isLasting = (node) => {
      const value = bare(node);
      const name = value.type === 'CallExpression' ? nameOf(value.callee)?.name : undefined;
      if (name === 'keep') return tensors.isOfLibrary(value.callee) && tensors.isTensor(node);
      return name !== 'run' && tensors.isFresh(node) && tensors.isTensor(node) && !isScoped(node, tensors);
    };

    return {
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
        for (const { node, key, owner, isFirst } of assignments) {
          if (isFirst || !isLasting(node.right) || isSeenTo(node, key)) continue;
          const others = assignments.filter((other) => other.node !== node && other.key === key && other.owner === owner);
          if (reads(node.right, key) || isAgain(node, owner) || (isLater(node, owner) && others.some((other) => holdsNew(other.node)))) {
            context.report({ node: node.left, messageId: 'overwritten', data: { target: sourceCode.getText(node.left) }, suggest: suggestions(node) });
          }
        }
      },
    };

    function holdsNew(node) {
      const value = node.right ?? node.value ?? node.init;
      const name = value.type === 'CallExpression' ? nameOf(value.callee)?.name : undefined;
      return tensors.isFresh(value) || name === 'keep';
    }

    /** Whether the code around disposes what was there, hands it on, or asks whether there was anything. */
    function isSeenTo(node, key) {
      const outside = functionsAround(node).find((at) => !scopeCall(at, tensors)) ?? sourceCode.ast;
      return mentions(outside, key).some((at) => {
        if (at === node.left) return false;
        const { parent } = at;
        if (parent.type === 'MemberExpression' && parent.object === at) return parent.property.name === 'dispose';
        if (parent.type === 'VariableDeclarator' || parent.type === 'AssignmentExpression') return (parent.init ?? parent.right) === at;
        return isHandedOn(at) || isTested(at, outside);
      });
    }

    function isHandedOn(node) {
      let at = node;
      while (/^(ArrayExpression|ObjectExpression|Property|SpreadElement|TSNonNullExpression|TSAsExpression)$/.test(at.parent.type)) at = at.parent;
      const { parent } = at;
      if (/^(ReturnStatement|YieldExpression|NewExpression|ForOfStatement)$/.test(parent.type)) return true;
      return parent.type === 'CallExpression' && parent.arguments.includes(at) && !tensors.isOp(parent);
    }

    function isTested(node, outside) {
      for (let at = node; at !== outside; at = at.parent) {
        if (kTests.test(at.parent.type) && [at.parent.test, at.parent.left, at.parent.discriminant].includes(at)) return true;
      }
      return false;
    }

    /** The places where code reads or writes this name or field. */
    function mentions(node, key) {
      const found = [];
      const visit = (at) => {
        if (keyOf(at) === key) found.push(at);
        for (const name of sourceCode.visitorKeys[at.type] ?? []) {
          for (const child of [at[name]].flat()) if (child) visit(child);
        }
      };
      visit(node);
      return found;
    }

    function reads(node, key) {
      return mentions(node, key).length > 0;
    }

    function suggestions(node) {
      const { parent } = node;
      const hasOld = sourceCode.getScope(node).references.some(({ identifier }) => identifier.name === 'old');
      if (parent.type !== 'ExpressionStatement' || !Array.isArray(parent.parent.body) || hasOld) return [];
      const indent = ' '.repeat(parent.loc.start.column);
      const old = `const old = ${sourceCode.getText(node.left)};\n${indent}`;
      const dispose = `\n${indent}old${tensors.mayBeMissing(node.left) ? '?' : ''}.dispose();`;
      return [{ messageId: 'dispose', fix: (fixer) => [fixer.insertTextBefore(parent, old), fixer.insertTextAfter(parent, dispose)] }];
    }
  },
};

/** What code calls a name or a field: `state`, `this.state`, `agent.state`; nothing for what is computed. */
function keyOf(node) {
  const isName = node.type === 'Identifier' && (node.parent.type !== 'MemberExpression' || node.parent.object === node);
  if (isName) return node.name;
  if (node.type !== 'MemberExpression' || node.computed) return undefined;
  const object = node.object.type === 'ThisExpression' ? 'this' : keyOf(node.object);
  return object && `${object}.${nameIn(node.property)}`;
}

function nameIn(node) {
  return node.type === 'PrivateIdentifier' ? `#${node.name}` : node.name;
}

/** Whose name or field it is: a variable, or the class around. */
function ownerOf(node, sourceCode) {
  let root = node;
  while (root.type === 'MemberExpression') root = root.object;
  if (root.type !== 'Identifier') return classAround(node);
  for (let scope = sourceCode.getScope(node); scope; scope = scope.upper) {
    const found = scope.set.get(root.name);
    if (found) return found;
  }
  return undefined;
}

function classAround(node) {
  for (let at = node.parent; at; at = at.parent) if (/^Class(Declaration|Expression)$/.test(at.type)) return at;
  return undefined;
}

/** In a loop, and of a name or field that was there before the loop. */
function isAgain(node, owner) {
  const declared = owner?.defs?.[0]?.node;
  for (let at = node.parent; at && !/Function/.test(at.type); at = at.parent) {
    if (kLoops.test(at.type)) return !(declared && at.range[0] <= declared.range[0] && declared.range[1] <= at.range[1]);
  }
  return false;
}

/** In a function that may run more than once: not the program itself, nor a constructor. */
function isLater(node, owner) {
  const [place] = functionsAround(node).slice(-1);
  const declared = owner?.defs?.[0]?.node;
  if (!place || (declared && place.range[0] <= declared.range[0] && declared.range[1] <= place.range[1])) return false;
  return functionsAround(node).every((at) => at.parent?.kind !== 'constructor');
}
