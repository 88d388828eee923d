// Finds tensors, and the calls that make them, by the types of a program.
import { bare, kOwned, nameOf } from './nodes.js';
import { loadsLibrary, tensorsByText } from './syntax.js';

const kLibrary = /[\\/]node_modules[\\/](tenure|@tensorflow[\\/]tfjs[^\\/]*)[\\/]/;
/** Functions that take tensors over or dispose them. */
const kTakes = /^(dispose|keep|push|set|add|attach|ret|detach|unshift|splice|resolve|Promise|then)$/;

/**
 * Returns the questions that rules ask about a file. They are answered by types where ESLint parsed the file with them, and
 * otherwise by what the text shows. `settings.tenure.libraries` names parts of further paths where the library is declared.
 */
export function tensorsIn(context) {
  const services = context.sourceCode.parserServices;
  const hasTypes = services?.program && services.esTreeNodeToTSNodeMap;
  return hasTypes ? tensorsByType(context, services) : tensorsByText(context);
}

function tensorsByType(context, services) {
  const { sourceCode } = context;
  const libraries = context.settings.tenure?.libraries ?? [];
  const checker = services.program.getTypeChecker();
  const givers = new Map();
  const answers = answersOf(services.program);
  const typeOf = (node) =>
    remember(answers.types, node, () => checker.getTypeAtLocation(services.esTreeNodeToTSNodeMap.get(node)));
  const symbolOf = (node) =>
    remember(answers.symbols, node, () => checker.getSymbolAtLocation(services.esTreeNodeToTSNodeMap.get(node)));

  /**
   * True for types with the members of a tensor: several copies of a library may meet in one program, so names do not decide.
   */
  function isTensorType(type, depth = 0) {
    if (type.isUnion() && depth < 3) {
      const parts = type.types.filter((part) => !isNothing(part));
      return parts.length > 0 && parts.every((part) => isTensorType(part, depth + 1));
    }
    return ['dataSync', 'dispose', 'dataId', 'shape'].every((name) => type.getProperty(name));
  }

  /** True for tensors, arrays or objects of them, and promises of these. */
  function holdsTensors(type, depth = 0) {
    if (depth > 3) return false;
    if (isTensorType(type)) return true;
    if (type.isUnion()) return type.types.some((part) => holdsTensors(part, depth + 1));
    const inside = checker.getTypeArguments?.(type) ?? [];
    if (type.symbol && ['Array', 'Promise', 'ReadonlyArray'].includes(type.symbol.name)) {
      return inside.some((part) => holdsTensors(part, depth + 1));
    }
    if (!type.symbol || !/^(__type|__object)$/.test(type.symbol.name))
      return checker.isTupleType(type) && inside.some((part) => holdsTensors(part, depth + 1));
    return type.getProperties().some((property) => {
      const at = property.valueDeclaration;
      return at && holdsTensors(checker.getTypeOfSymbolAtLocation(property, at), depth + 1);
    });
  }

  /** True if Tenure or TensorFlow.js declares the callee. */
  function isOfLibrary(callee) {
    const symbol = symbolOf(nameOf(callee) ?? callee);
    const target = symbol && symbol.flags & 2097152 ? checker.getAliasedSymbol(symbol) : symbol;
    return (target?.declarations ?? []).some(isInLibrary);
  }
  function isInLibrary(declaration) {
    const { fileName } = declaration.getSourceFile();
    return kLibrary.test(fileName) || libraries.some((part) => fileName.includes(part));
  }

  /** An awaited capture() of what has no type, as a webcam that is an argument of plain JavaScript. */
  const isUntypedCapture = (node) => {
    const call = bare(node);
    if (
      call.type !== 'CallExpression' ||
      call.callee.type !== 'MemberExpression' ||
      nameOf(call.callee)?.name !== 'capture'
    )
      return false;
    if (call.parent.type !== 'AwaitExpression' || call.arguments.length > 0) return false;
    return Boolean(typeOf(call.callee.object).flags & 1) && loadsLibrary(sourceCode);
  };
  const isTensor = (node) => isTensorType(typeOf(node)) || isUntypedCapture(node);
  /** A variable of training has its name, and an owner that disposes it. */
  const isVariable = (node) => Boolean(typeOf(node).getProperty('assign') && typeOf(node).getProperty('trainable'));

  return {
    sourceCode,
    isTensor,
    holdsTensors: (node) => holdsTensors(typeOf(node)),
    isOfLibrary,
    /** True for a call of the library that makes a tensor, or an array of them. */
    isFresh(node) {
      const call = node && bare(node);
      if (call?.type !== 'CallExpression') return false;
      if (isUntypedCapture(call)) return true;
      const name = nameOf(call.callee)?.name;
      if (name === undefined || kOwned.test(name) || !isOfLibrary(call.callee)) return false;
      return holdsTensors(typeOf(node)) && !isVariable(node) && !isPromise(typeOf(node));
    },
    /** True for a call of the library that only reads its arguments, and creates no owner. */
    isOp(node) {
      const name = nameOf(node.callee)?.name;
      if (name === undefined || !isOfLibrary(node.callee)) return false;
      const result = typeOf(node);
      if (isPromise(result))
        return /^(predict|execute|executeAsync|evaluate|fit|trainOnBatch|toPixels|whereAsync|draw)$/.test(name);
      return (
        /^(print|toPixels|dataSync|arraySync)$/.test(name) ||
        (holdsTensors(result) && !kTakes.test(name)) ||
        (name === 'add' && isTensorType(result))
      );
    },
    /** True if a function returns tensors to its caller, whose scope owns them. */
    givesTensors(node) {
      if (!givers.has(node)) {
        const [signature] = typeOf(node).getCallSignatures();
        givers.set(node, Boolean(signature) && holdsTensors(checker.getReturnTypeOfSignature(signature)));
      }
      return givers.get(node);
    },
    isPromise: (node) => isPromise(typeOf(node)),
    /** True if the declared type of a name includes null or undefined. */
    mayBeMissing(node) {
      const symbol = symbolOf(nameOf(node) ?? node);
      const type = symbol && checker.getTypeOfSymbol(symbol);
      return Boolean(type?.isUnion() && type.types.some(isNothing));
    },
    /** True if calls of a function, or of what a name stands for, return promises. */
    isAsyncFunction: (node) =>
      typeOf(node)
        .getCallSignatures()
        .some((signature) => signature.getReturnType().symbol?.name === 'Promise'),
    /** A webcam or a microphone of the library, whose iteration frees nothing, unlike that of a dataset. */
    isCamera(node) {
      const capture = typeOf(node).getProperty('capture');
      return (capture?.declarations ?? []).some(isInLibrary);
    },
    isCollection: (node) => /^(Array|Map|Set)$/.test(typeOf(node).symbol?.name ?? ''),
    hasUsing: (node) =>
      typeOf(node)
        .getProperties()
        .some(({ escapedName }) => String(escapedName).startsWith('__@dispose')),
  };
}

const answersByProgram = new WeakMap();

/**
 * Returns what the type checker has answered about a program, for all rules. It does not remember the types of names itself:
 * for each question it goes back through the function to where the name was assigned, or to its start for an import.
 */
function answersOf(program) {
  return remember(answersByProgram, program, () => ({ types: new WeakMap(), symbols: new WeakMap() }));
}

function remember(answers, key, ask) {
  if (!answers.has(key)) answers.set(key, ask());
  return answers.get(key);
}

function isPromise(type) {
  return type.symbol?.name === 'Promise' || (type.isUnion() && type.types.some(isPromise));
}

/** Undefined, null, and numbers that an op takes in the place of a tensor. */
function isNothing(type) {
  return Boolean(type.flags & (32768 | 65536 | 16384));
}
