import { contains, loopAround } from '../ancestors.js';
import { findLeaks } from '../leaks.js';
import { bare, isFunction, nameOf } from '../nodes.js';
import { functionAround, isScoped, unscopedFunctionAround, variableOf } from '../scopes.js';
import { tensorsIn } from '../tensors.js';

/** Reports a tensor made outside a scope that is not disposed on every path to the function's end. */
export const requireDispose = {
  meta: {
    type: 'problem',
    hasSuggestions: true,
    docs: {
      description:
        'require that a tensor made outside a scope is disposed, kept, returned or handed over on every path',
    },
    messages: {
      never: '`{{name}}` is never disposed, and no scope frees it.',
      path: '`{{name}}` is not disposed on every path: it leaks on the others.',
      using: 'Declare it with `using`, which disposes it at the end of the block.',
      dispose: 'Dispose it at the end of the block.',
    },
    schema: [],
  },
  create(context) {
    const tensors = tensorsIn(context);
    const { sourceCode } = tensors;
    const paths = [];
    /** The tensors of names whose making the path has passed, by the identifiers that refer to them. */
    const madeByIdentifier = new Map();

    return {
      onCodePathStart(codePath) {
        paths.push({ codePath, current: new Set(), made: [] });
      },
      onCodePathSegmentStart: (segment) => void paths.at(-1).current.add(segment),
      onCodePathSegmentEnd: (segment) => void paths.at(-1).current.delete(segment),
      onUnreachableCodePathSegmentStart: () => {},
      onCodePathEnd() {
        const { codePath, made } = paths.pop();
        for (const leak of findLeaks(codePath, made)) report(leak);
      },
      'VariableDeclarator:exit'(node) {
        if (/using/.test(node.parent.kind) || isExported(node.parent)) return;
        for (const name of namesWithTensors(node)) noteMade(name, node, isStepOfIterator(node));
      },
      'AssignmentExpression:exit'(node) {
        const { left, right, operator } = node;
        if (left.type !== 'Identifier' || operator !== '=' || !tensors.isFresh(right) || !tensors.isTensor(right))
          return;
        const variable = variableOf(left, sourceCode);
        const declarator = variable?.defs[0]?.node;
        if (declarator?.type !== 'VariableDeclarator' || declarator.init || isExported(declarator.parent)) return;
        if (variable.references.some((other) => other.isWrite() && other.identifier !== left)) return;
        // no-overwritten-tensor reports what a loop assigns to a name from outside it.
        const loop = loopAround(node);
        if (functionAround(declarator) !== functionAround(node) || (loop && !contains(loop, declarator))) return;
        noteMade(left, declarator, true, variable);
      },
      'Identifier:exit'(node) {
        const made = madeByIdentifier.get(node);
        if (!made || !isRelease(node, tensors)) return;
        for (const segment of made.path.current) made.releases.add(segment);
      },
    };

    /** Returns the names that a declaration gives tensors that nobody else owns. */
    function namesWithTensors({ id, init, parent }) {
      const isFrame =
        parent.parent.type === 'ForOfStatement' &&
        parent.parent.left === parent &&
        parent.parent.await &&
        tensors.isCamera(parent.parent.right);
      if (isFrame) return id.type === 'Identifier' && tensors.isTensor(id) ? [id] : [];
      if (!init) return [];
      if (id.type === 'Identifier') return tensors.isFresh(init) && tensors.isTensor(init) ? [id] : [];
      if (!tensors.isFresh(init) && !isStepOfIterator({ id, init })) return [];
      return namesIn(id).filter((name) => tensors.isTensor(name));
    }

    /** True for `{ value, done }` of what a webcam or a microphone iterates. */
    function isStepOfIterator({ id, init }) {
      const call = init && bare(init);
      if (id.type !== 'ObjectPattern' || init?.type !== 'AwaitExpression' || call.type !== 'CallExpression')
        return false;
      return (
        call.callee.type === 'MemberExpression' &&
        nameOf(call.callee)?.name === 'next' &&
        tensors.isCamera(call.callee.object)
      );
    }

    /** Notes that a name has a tensor from here on. `isOptional` where it may also have none, which paths do not show. */
    function noteMade(
      name,
      node,
      isOptional,
      variable = sourceCode.getDeclaredVariables(node).find((each) => each.name === name.name),
    ) {
      if (isScoped(node, tensors)) return;
      const uses = variable.references.filter((reference) => reference.isRead());
      // A dispose in another function, such as a listener, is not followed.
      const place = functionAround(node);
      if (uses.some((use) => unscopedFunctionAround(use.identifier, tensors) !== place)) return;
      const path = paths.at(-1);
      const made = { variable, node, name, isOptional, path, segments: [...path.current], releases: new Set() };
      path.made.push(made);
      for (const { identifier } of variable.references) madeByIdentifier.set(identifier, made);
    }

    function report({ variable, node, name, isOptional, releases }) {
      const isReleased = releases.size > 0;
      if (isReleased && isOptional) return;
      const suggest = isReleased ? [] : suggestions(node, variable);
      context.report({ node: name, messageId: isReleased ? 'path' : 'never', data: { name: variable.name }, suggest });
    }

    function suggestions(node, variable) {
      const { parent } = node;
      const block = parent.parent;
      const last = block.body?.at?.(-1);
      const found = [];
      if (
        parent.kind === 'const' &&
        parent.declarations.length === 1 &&
        node.id.type === 'Identifier' &&
        node.init &&
        tensors.hasUsing(node.init)
      ) {
        const keyword = sourceCode.getFirstToken(parent);
        found.push({ messageId: 'using', fix: (fixer) => fixer.replaceText(keyword, 'using') });
      }
      if (last && !/^(Return|Throw|Break|Continue)Statement$/.test(last.type)) {
        const indent = ' '.repeat(last.loc.start.column);
        found.push({
          messageId: 'dispose',
          fix: (fixer) => fixer.insertTextAfter(last, `\n${indent}${variable.name}.dispose();`),
        });
      }
      return found;
    }
  },
};

/** True if this use of a name disposes its tensor or passes it on. */
function isRelease(node, tensors) {
  let at = node;
  // An array, an object or a conditional of tensors stands for each of them.
  while (
    /^(ArrayExpression|ObjectExpression|Property|SpreadElement|ConditionalExpression|LogicalExpression|TSAsExpression|TSNonNullExpression)$/.test(
      at.parent.type,
    )
  ) {
    at = at.parent;
  }
  const { parent } = at;
  switch (parent.type) {
    case 'MemberExpression':
      return parent.object === at && parent.property.name === 'dispose' && parent.parent.type === 'CallExpression';
    case 'CallExpression':
    case 'NewExpression': {
      if (!parent.arguments.includes(at)) return false;
      if (parent.type === 'NewExpression') return true;
      return (
        !tensors.isOp(parent) &&
        !/^(log|info|warn|error|debug|data|data_|fit|evaluate|predict|expectArraysClose)$/.test(
          nameOf(parent.callee)?.name ?? '',
        )
      );
    }
    case 'ReturnStatement':
    case 'YieldExpression':
    case 'ThrowStatement':
    case 'ExportSpecifier':
      return true;
    case 'ArrowFunctionExpression':
      return parent.body === at;
    case 'AssignmentExpression':
      return parent.right === at;
    case 'VariableDeclarator':
      return parent.init === at;
    case 'ForOfStatement':
      return parent.right === at;
    case 'AwaitExpression':
      return true;
    default:
      return isFunction(parent);
  }
}

/** Returns the names that an array or an object is taken apart into, one level deep. */
function namesIn(pattern) {
  const parts =
    pattern.type === 'ArrayPattern'
      ? pattern.elements
      : pattern.type === 'ObjectPattern'
        ? pattern.properties.map(({ value }) => value)
        : [];
  return parts.filter((part) => part?.type === 'Identifier');
}

function isExported(declaration) {
  return declaration.parent.type === 'ExportNamedDeclaration';
}
