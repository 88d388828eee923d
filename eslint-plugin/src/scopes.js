// Which code runs in a scope, by what its functions are given to.
import { nearest } from './ancestors.js';
import { nameOf } from './tensors.js';

/** What runs a function in a scope, and frees what the function does not give back. */
const kRunners = /^(tidy|scopeAsync|grad|grads|valueAndGrad|valueAndGrads|variableGrads|customGrad|minimize|computeGradients|op|registerOp|expectNoLeaks)$/;
/** Methods of layers, optimizers and metrics that the library calls in a scope. */
const kHooks = /^(call|build|apply|computeMask|applyGradients|readCell)$/;

export const isFunction = (node) => /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/.test(node.type);

/** The call that runs this function in a scope, if one does. */
export function scopeCall(node, tensors) {
  const { parent } = node;
  if (parent?.type !== 'CallExpression' || !parent.arguments.includes(node)) return undefined;
  const name = nameOf(parent.callee)?.name;
  if (name === undefined) return undefined;
  if (kRunners.test(name) && tensors.isOfLibrary(parent.callee)) return parent;
  const { callee } = parent;
  // A scope that is an object, and datasets, whose functions run in a scope each time.
  if (callee.type !== 'MemberExpression' || !tensors.isOfLibrary(callee)) return undefined;
  return name === 'run' || ((name === 'map' || name === 'filter') && !tensors.isTensor(callee.object)) ? parent : undefined;
}

const functionAt = nearest((node) => (isFunction(node) ? node : undefined));

/** The functions around a node, the innermost first. */
export function functionsAround(node) {
  const found = [];
  for (let at = functionAt(node.parent); at; at = functionAt(at.parent)) found.push(at);
  return found;
}

/** The innermost function around a node that runs in a scope, if one does. */
export function scopeAround(node, tensors) {
  return functionsAround(node).find((at) => scopeCall(at, tensors));
}

/**
 * Whether what a node makes belongs to a scope: that of a function around it, or that of whoever calls a function that takes
 * or gives tensors. The program itself, and functions that do neither, are where scopes begin.
 */
export function isScoped(node, tensors) {
  if (scopeAround(node, tensors) || betweenScopes(node)) return true;
  const [nearest] = functionsAround(node);
  if (!nearest) return false;
  if (!nearest.async && tensors.givesTensors(nearest)) return true;
  return kHooks.test(nearest.parent?.key?.name ?? '') && nearest.parent.type === 'MethodDefinition';
}

/** True behind a startScope() of the same block, which endScope() ends. */
const betweenScopes = nearest((node) => {
  if (isFunction(node) || !node.parent) return false;
  const statements = node.parent.body;
  if (!Array.isArray(statements)) return undefined;
  const start = firstStart(statements);
  return start && start.range[0] < node.range[0] ? true : undefined;
});

const firstStarts = new WeakMap();

/** The first statement of a block that calls startScope(). */
function firstStart(statements) {
  if (!firstStarts.has(statements)) {
    firstStarts.set(statements, statements.find((each) => nameOf(each.expression?.callee ?? {})?.name === 'startScope'));
  }
  return firstStarts.get(statements);
}

/** What a file calls the library, as `tf`, and where it has it from. */
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
