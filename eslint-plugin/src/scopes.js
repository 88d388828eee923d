// Finds which code runs in a scope, by the calls that functions are passed to.
import { nearest } from './ancestors.js';
import { isFunction, isLibrarySource, nameOf } from './nodes.js';

/** Functions that run their argument in a scope and dispose what it does not return. */
const kRunners =
  /^(tidy|scopeAsync|grad|grads|valueAndGrad|valueAndGrads|variableGrads|customGrad|minimize|computeGradients|op|registerOp|expectNoLeaks)$/;
/** Methods of layers, optimizers and metrics that the library calls in a scope. */
const kHooks = /^(call|build|apply|computeMask|applyGradients|readCell)$/;

/** The call that runs this function in a scope, if one does. */
export function scopeCall(node, tensors) {
  const { parent } = node;
  if (parent?.type !== 'CallExpression' || !parent.arguments.includes(node)) return undefined;
  const name = nameOf(parent.callee)?.name;
  if (name === undefined) return undefined;
  if (kRunners.test(name) && tensors.isOfLibrary(parent.callee)) return parent;
  const { callee } = parent;
  // Scope objects, and datasets, which run their functions in a scope each time.
  if (callee.type !== 'MemberExpression' || !tensors.isOfLibrary(callee)) return undefined;
  return name === 'run' || ((name === 'map' || name === 'filter') && !tensors.isTensor(callee.object))
    ? parent
    : undefined;
}

/** The innermost function around a node, itself included. */
const functionAt = nearest((node) => (isFunction(node) ? node : undefined));
const constructorAt = nearest((node) => (isFunction(node) && node.parent?.kind === 'constructor' ? node : undefined));

/** Returns the innermost function around a node. */
export const functionAround = (node) => functionAt(node.parent);

/** True if one of the functions around a node is a constructor. */
export const isInConstructor = (node) => constructorAt(node.parent) !== undefined;

const outermostFunctions = new WeakMap();

/** Returns the outermost function around a node. Functions remember theirs, so that deep nesting costs one look at each. */
export function outermostFunction(node) {
  const passed = [];
  let found;
  for (let at = functionAround(node); at; at = functionAround(at)) {
    found = outermostFunctions.get(at) ?? at;
    if (outermostFunctions.has(at)) break;
    passed.push(at);
  }
  for (const at of passed) outermostFunctions.set(at, found);
  return found;
}

const lookups = new WeakMap();

/** Returns the searches for functions of one file, which keep their answers. */
function lookupsOf(tensors) {
  if (!lookups.has(tensors)) {
    const isScope = (node) => scopeCall(node, tensors) !== undefined;
    lookups.set(tensors, {
      scope: nearest((node) => (isFunction(node) && isScope(node) ? node : undefined)),
      unscoped: nearest((node) => (isFunction(node) && !isScope(node) ? node : undefined)),
    });
  }
  return lookups.get(tensors);
}

/** Returns the innermost function around a node that runs in a scope, if one does. */
export function scopeAround(node, tensors) {
  return lookupsOf(tensors).scope(node.parent);
}

/** Returns the innermost function around a node that no scope runs. */
export function unscopedFunctionAround(node, tensors) {
  return lookupsOf(tensors).unscoped(node.parent);
}

const variables = new WeakMap();

/** Returns the variable that an identifier refers to, if the file declares it. */
export function variableOf(identifier, sourceCode) {
  if (!variables.has(sourceCode)) {
    const references = sourceCode.scopeManager.scopes.flatMap((scope) => scope.references);
    variables.set(
      sourceCode,
      new Map(references.map((reference) => [reference.identifier, reference.resolved ?? undefined])),
    );
  }
  return variables.get(sourceCode).get(identifier);
}

/**
 * True if a tensor made by a node belongs to a scope: that of a function around it, or that of the caller of a function that
 * takes or returns tensors. The program itself, and functions that do neither, are where scopes begin.
 */
export function isScoped(node, tensors) {
  if (scopeAround(node, tensors) || betweenScopes(node)) return true;
  const around = functionAround(node);
  if (!around) return false;
  if (!around.async && tensors.givesTensors(around)) return true;
  return kHooks.test(around.parent?.key?.name ?? '') && around.parent.type === 'MethodDefinition';
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
    firstStarts.set(
      statements,
      statements.find((each) => nameOf(each.expression?.callee ?? {})?.name === 'startScope'),
    );
  }
  return firstStarts.get(statements);
}

/** Returns the name that a file gives the library, such as `tf`, and the module that it imports. */
export function libraryOf({ ast }) {
  for (const statement of ast.body) {
    if (statement.type !== 'ImportDeclaration') continue;
    const source = String(statement.source.value);
    if (!isLibrarySource(source)) continue;
    const all = statement.specifiers.find(({ type }) => type === 'ImportNamespaceSpecifier');
    if (all) return { name: all.local.name, source };
  }
  return undefined;
}
