// What of a program are tensors, and which calls make them, by the types that the program has.

const kLibrary = /[\\/]node_modules[\\/](tenure|@tensorflow[\\/]tfjs[^\\/]*)[\\/]/;
/** What gives a tensor that has an owner already. */
const kOwned = /^(keep|get|at|take|read|borrow|attach|detach|ret|variable|getWeights|input|apply|currentWeights|assign|grad|grads)$/;
/** What takes tensors over, or lets them go. */
const kTakes = /^(dispose|keep|push|set|add|attach|ret|detach|unshift|splice|resolve|Promise|then)$/;

/**
 * Questions about a file that ESLint parsed with types. Throws where there are none. `settings.tenure.libraries` names parts
 * of further paths where the library is declared.
 */
export function tensorsIn(context) {
  const { sourceCode } = context;
  const services = sourceCode.parserServices;
  if (!services?.program || !services.esTreeNodeToTSNodeMap) {
    throw new Error(
      `${context.id} needs types: let ESLint parse the file with @typescript-eslint/parser and parserOptions.projectService`,
    );
  }
  const libraries = context.settings.tenure?.libraries ?? [];
  const checker = services.program.getTypeChecker();
  const givers = new Map();
  const typeOf = (node) => checker.getTypeAtLocation(services.esTreeNodeToTSNodeMap.get(node));

  /** Tensors are known by what they have, as several copies of a library may meet in a program. */
  function isTensorType(type, depth = 0) {
    if (type.isUnion() && depth < 3) {
      const parts = type.types.filter((part) => !isNothing(part));
      return parts.length > 0 && parts.every((part) => isTensorType(part, depth + 1));
    }
    return ['dataSync', 'dispose', 'dataId', 'shape'].every((name) => type.getProperty(name));
  }

  /** Tensors, or an array or an object of them, or a promise of any of these. */
  function holdsTensors(type, depth = 0) {
    if (depth > 3) return false;
    if (isTensorType(type)) return true;
    if (type.isUnion()) return type.types.some((part) => holdsTensors(part, depth + 1));
    const inside = checker.getTypeArguments?.(type) ?? [];
    if (type.symbol && ['Array', 'Promise', 'ReadonlyArray'].includes(type.symbol.name)) {
      return inside.some((part) => holdsTensors(part, depth + 1));
    }
    if (!type.symbol || !/^(__type|__object)$/.test(type.symbol.name)) return checker.isTupleType(type) && inside.some((part) => holdsTensors(part, depth + 1));
    return type.getProperties().some((property) => {
      const at = property.valueDeclaration;
      return at && holdsTensors(checker.getTypeOfSymbolAtLocation(property, at), depth + 1);
    });
  }

  /** Whether what is called is declared by Tenure or TensorFlow.js. */
  function isOfLibrary(callee) {
    const symbol = checker.getSymbolAtLocation(services.esTreeNodeToTSNodeMap.get(nameOf(callee) ?? callee));
    const target = symbol && symbol.flags & 2097152 ? checker.getAliasedSymbol(symbol) : symbol;
    return (target?.declarations ?? []).some((at) => {
      const { fileName } = at.getSourceFile();
      return kLibrary.test(fileName) || libraries.some((part) => fileName.includes(part));
    });
  }

  const isTensor = (node) => isTensorType(typeOf(node));
  /** A variable of training has its name, and an owner that disposes it. */
  const isVariable = (node) => Boolean(typeOf(node).getProperty('assign') && typeOf(node).getProperty('trainable'));

  return {
    sourceCode,
    typeOf,
    isTensor,
    holdsTensors: (node) => holdsTensors(typeOf(node)),
    isOfLibrary,
    /** A call of the library that makes a tensor, or several in an array. */
    isFresh(node) {
      const call = node && bare(node);
      if (call?.type !== 'CallExpression') return false;
      const name = nameOf(call.callee)?.name;
      if (name === undefined || kOwned.test(name) || !isOfLibrary(call.callee)) return false;
      return holdsTensors(typeOf(node)) && !isVariable(node) && !isPromise(typeOf(node));
    },
    /** A call of the library that only looks at its arguments, and makes no owner of itself. */
    isOp(node) {
      const name = nameOf(node.callee)?.name;
      if (name === undefined || !isOfLibrary(node.callee)) return false;
      const result = typeOf(node);
      if (isPromise(result)) return /^(predict|execute|executeAsync|evaluate|fit|trainOnBatch|toPixels|whereAsync|draw)$/.test(name);
      return /^(print|toPixels|dataSync|arraySync)$/.test(name) || (holdsTensors(result) && !kTakes.test(name)) || (name === 'add' && isTensorType(result));
    },
    /** Whether a function gives tensors to its caller, whose scope they belong to. */
    givesTensors(node) {
      if (!givers.has(node)) {
        const [signature] = typeOf(node).getCallSignatures();
        givers.set(node, Boolean(signature) && holdsTensors(checker.getReturnTypeOfSignature(signature)));
      }
      return givers.get(node);
    },
    isPromise: (node) => isPromise(typeOf(node)),
    /** Whether a name may also stand for nothing, by the type that it was declared with. */
    mayBeMissing(node) {
      const symbol = checker.getSymbolAtLocation(services.esTreeNodeToTSNodeMap.get(nameOf(node) ?? node));
      const type = symbol && checker.getTypeOfSymbol(symbol);
      return Boolean(type?.isUnion() && type.types.some(isNothing));
    },
    hasUsing: (node) => typeOf(node).getProperties().some(({ escapedName }) => String(escapedName).startsWith('__@dispose')),
  };
}

function isPromise(type) {
  return type.symbol?.name === 'Promise' || (type.isUnion() && type.types.some(isPromise));
}

/** Without what only changes its type, and without its await. */
export function bare(node) {
  const isAround = /^(TSAsExpression|TSNonNullExpression|TSTypeAssertion|TSSatisfiesExpression)$/.test(node.type);
  if (isAround) return bare(node.expression);
  return node.type === 'AwaitExpression' ? bare(node.argument) : node;
}

/** Undefined, null, and numbers that an op takes in the place of a tensor. */
function isNothing(type) {
  return Boolean(type.flags & (32768 | 65536 | 16384));
}

/** The identifier that a callee ends in. */
export function nameOf(callee) {
  if (callee.type === 'ChainExpression') return nameOf(callee.expression);
  if (callee.type === 'Identifier') return callee;
  if (callee.type === 'MemberExpression' && !callee.computed) return callee.property;
  return undefined;
}
