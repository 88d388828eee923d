import { functionsAround, isFunction, isScoped, scopeCall } from '../scopes.js';
import { nameOf, tensorsIn } from '../tensors.js';

/** Reports a tensor made outside a scope that is not disposed on every path to the function's end. */
export const requireDispose = {
  meta: {
    type: 'problem',
    hasSuggestions: true,
    docs: { description: 'require that a tensor made outside a scope is disposed, kept, returned or handed over on every path' },
    messages: {
      never: '`{{name}}` is never disposed, and no scope frees it.',
      path: '`{{name}}` is not disposed on every path: what leaves here without it leaks.',
      using: 'Let `using` dispose it at the end of the block.',
      dispose: 'Dispose it at the end of the block.',
    },
    schema: [],
  },
  create(context) {
    const tensors = tensorsIn(context);
    const { sourceCode } = tensors;
    const paths = [];

    /** Records in which code path segments an event of a tensor occurs. */
    const note = (path, event) => {
      for (const segment of path.current) {
        const events = path.events.get(segment) ?? [];
        path.events.set(segment, [...events, event]);
      }
    };

    return {
      onCodePathStart(codePath, node) {
        paths.push({ codePath, node, current: new Set(), events: new Map(), made: [] });
      },
      onCodePathSegmentStart: (segment) => void paths.at(-1).current.add(segment),
      onCodePathSegmentEnd: (segment) => void paths.at(-1).current.delete(segment),
      onUnreachableCodePathSegmentStart: () => {},
      onCodePathEnd() {
        const path = paths.pop();
        for (const { variable, node } of path.made) judge(variable, node, path);
      },
      'VariableDeclarator:exit'(node) {
        const { id, init, parent } = node;
        if (id.type !== 'Identifier' || !init || /using/.test(parent.kind) || !tensors.isFresh(init)) return;
        if (!tensors.isTensor(init) || isScoped(init, tensors) || isExported(parent)) return;
        const [variable] = sourceCode.getDeclaredVariables(node);
        const uses = variable.references.filter((reference) => reference.isRead());
        // Disposal in another function, such as a listener, cannot be followed.
        const place = functionsAround(node)[0];
        if (uses.some((use) => functionsAround(use.identifier).find((at) => !scopeCall(at, tensors)) !== place)) return;
        const made = { variable, node };
        paths.at(-1).made.push(made);
        note(paths.at(-1), { made: variable });
      },
      'Identifier:exit'(node) {
        for (const path of paths) {
          const made = path.made.find(({ variable }) => variable.references.some(({ identifier }) => identifier === node));
          if (made && isRelease(node, tensors)) note(path, { released: made.variable });
        }
      },
    };

    function judge(variable, node, path) {
      const leaving = leak(variable, path);
      if (!leaving) return;
      const { name } = variable;
      const isReleased = [...path.events.values()].flat().some(({ released }) => released === variable);
      const suggest = isReleased ? [] : suggestions(node, variable);
      context.report({ node: node.id, messageId: isReleased ? 'path' : 'never', data: { name }, suggest });
    }

    function suggestions(node, variable) {
      const { parent } = node;
      const block = parent.parent;
      const last = block.body?.at?.(-1);
      const found = [];
      if (parent.kind === 'const' && parent.declarations.length === 1 && tensors.hasUsing(node.init)) {
        const keyword = sourceCode.getFirstToken(parent);
        found.push({ messageId: 'using', fix: (fixer) => fixer.replaceText(keyword, 'using') });
      }
      if (last && !/^(Return|Throw|Break|Continue)Statement$/.test(last.type)) {
        const indent = ' '.repeat(last.loc.start.column);
        found.push({ messageId: 'dispose', fix: (fixer) => fixer.insertTextAfter(last, `\n${indent}${variable.name}.dispose();`) });
      }
      return found;
    }
  },
};

/** Returns true if a path leads from a tensor's creation to the function's end without releasing it. */
function leak(variable, { codePath, events }) {
  const ends = new Set(codePath.finalSegments);
  const [start] = [...events].find(([, list]) => list.some(({ made }) => made === variable)) ?? [];
  if (!start) return false;
  const seen = new Set();
  const visit = (segment, isAtStart) => {
    // The path loops back and creates the tensor again.
    if (!isAtStart && segment === start) return true;
    if (seen.has(segment)) return false;
    seen.add(segment);
    const list = events.get(segment) ?? [];
    const from = isAtStart ? list.findIndex(({ made }) => made === variable) + 1 : 0;
    if (list.slice(from).some(({ released }) => released === variable)) return false;
    return ends.has(segment) || segment.nextSegments.some((next) => visit(next, false));
  };
  return visit(start, true);
}

/** True if this use of a name disposes its tensor, or passes ownership on. */
function isRelease(node, tensors) {
  let at = node;
  // An array, an object or a conditional of tensors stands for each of them.
  while (/^(ArrayExpression|ObjectExpression|Property|SpreadElement|ConditionalExpression|LogicalExpression|TSAsExpression|TSNonNullExpression)$/.test(at.parent.type)) {
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
      return !tensors.isOp(parent) && !/^(log|info|warn|error|debug|data|data_|fit|evaluate|predict|expectArraysClose)$/.test(nameOf(parent.callee)?.name ?? '');
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

function isExported(declaration) {
  return declaration.parent.type === 'ExportNamedDeclaration';
}
