// Predicates of single nodes of a syntax tree.

/** Methods that return a tensor that already has an owner. */
export const kOwned =
  /^(keep|get|at|take|read|borrow|attach|detach|ret|variable|getWeights|input|apply|currentWeights|assign|grad|grads)$/;

export const isFunction = (node) =>
  /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/.test(node.type);

/** True if a file imports the library from this module. */
export function isLibrarySource(source) {
  return /^(tenure(\/|$)|@tensorflow\/tfjs)|dist\/.*index\.js$/.test(String(source));
}

/** Without what only changes its type, and without its await. */
export function bare(node) {
  const isAround = /^(TSAsExpression|TSNonNullExpression|TSTypeAssertion|TSSatisfiesExpression)$/.test(node.type);
  if (isAround) return bare(node.expression);
  return node.type === 'AwaitExpression' ? bare(node.argument) : node;
}

/** The identifier that a callee ends in. */
export function nameOf(callee) {
  if (callee.type === 'ChainExpression') return nameOf(callee.expression);
  if (callee.type === 'Identifier') return callee;
  if (callee.type === 'MemberExpression' && !callee.computed) return callee.property;
  return undefined;
}

/** The name of a property, also of a private one. */
export function nameIn(node) {
  return node.type === 'PrivateIdentifier' ? `#${node.name}` : node.name;
}
