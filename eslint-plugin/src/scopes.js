// Finds which code runs in a scope, by the calls that functions are passed to.
import { nearest } from './ancestors.js';
import { nameOf } from './tensors.js';

/** Functions that run their argument in a scope and dispose what it does not return. */
const kRunners = /^(tidy|scopeAsync|grad|grads|valueAndGrad|valueAndGrads|variableGrads|customGrad|minimize|computeGradients|op|registerOp|expectNoLeaks)$/;
/** Methods of layers, optimizers and metrics that the library calls in a scope. */
const kHooks = /^(call|build|apply|computeMask|applyGradients|readCell)$/;

export const isFunction = (node) => /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/.test(node.type);

/** Returns the call that runs this function in a scope, or undefined. */
export function scopeCall(node, tensors) {
  const { parent } = node;
  if (parent?.type !== 'CallExpression' || !parent.arguments.includes(node)) return undefined;
  const name = nameOf(parent.callee)?.name;
  if (name === undefined) return undefined;
  if (kRunners.test(name) && tensors.isOfLibrary(parent.callee)) return parent;
  const { callee } = parent;
  // Scope objects, and datasets, which run their functions in a scope each time.
  if (callee.type !== 'MemberExpression' || !tensors.isOfLibrary(callee)) return undefined;
  return name === 'run' || ((name === 'map' || name === 'filter') && !tensors.isTensor(callee.object)) ? parent : undefined;
}

const functionAt = nearest((node) => (isFunction(node) ? node : undefined));

/** Returns the functions around a node, innermost first. */
export function functionsAround(node) {
  const found = [];
  for (let at = functionAt(node.parent); at; at = functionAt(at.parent)) found.push(at);
  return found;
}

/** Returns the innermost function around a node that runs in a scope, or undefined. */
export function scopeAround(node, tensors) {
  return functionsAround(node).find((at) => scopeCall(at, tensors));
}

/**
 * True if a tensor made by a node belongs to a scope: that of a function around it, or that of the caller of a function that
 * takes or returns tensors. The program itself, and functions that do neither, are where scopes begin.
 */
export function isScoped(node, tensors) {
  if (scopeAround(node, tensors) || betweenScopes(node)) return true;
  const [nearest] = functionsAround(node);
  if (!nearest) return false;
  if (!nearest.async && tensors.givesTensors(nearest)) return true;
  return kHooks.test(nearest.parent?.key?.name ?? '') && nearest.parent.type === 'MethodDefinition';
}

/** True after a startScope() of the same block, which endScope() ends. */
const betweenScopes = nearest((node) => {
  if (isFunction(node) || !node.parent) return false;
  const statements = node.parent.body;
  if (!Array.isArray(statements)) return undefined;
  const start = firstStart(statements);
  return start && start.range[0] < node.range[0] ? true : undefined;
});

const firstStarts = new WeakMap();

/** Returns the first statement of a block that calls startScope(). */
function firstStart(statements) {
  if (!firstStarts.has(statements)) {
    firstStarts.set(statements, statements.find((each) => nameOf(each.expression?.callee ?? {})?.name === 'startScope'));
  }
  return firstStarts.get(statements);
}

/** Returns the name that a file gives the library, such as `tf`, and the module that it imports. */
export function libraryOf({ ast }) {
  for (const statement of ast.body) {
    if (statement.type !== 'ImportDeclaration') continue;
    const source = String(statement.source.value);
    if (!/^(tenure(\/|$)|@tensorflow\/tfjs)|dist\/.*index\.js$/.test(source)) continue;
    const all = statement.specifiers.find(({ type }) => type === 'ImportNamespaceSpecifier');
    if (all) return { name: all.local.name, source };
  }
  return undefined;
}
