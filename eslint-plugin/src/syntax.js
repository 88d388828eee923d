// Finds tensors by the text of a file, for files that are parsed without types.
import { classAround } from './ancestors.js';
import { bare, isFunction, isLibrarySource, kOwned, nameIn, nameOf } from './nodes.js';
import { variableOf } from './scopes.js';
import { severalOps, tensorMethods, tensorOps } from './tensor_ops.js';

/** Functions that load or make a model, whose predict() makes tensors. */
const kModels = /^(loadLayersModel|loadGraphModel|loadModel|sequential|model)$/;
/** Functions that run a function and return what it does. */
const kScopes = /^(tidy|scopeAsync)$/;
/** Functions of a namespace of the library that make no tensors although functions of their names do elsewhere. */
const kOtherNamespaces =
  /^(layers|train|data|io|util|env|metrics|initializers|regularizers|constraints|callbacks|losses)$/;
/** Methods that return no tensors, whatever they are called on. */
const kReads = /^(print|log|dispose|dataSync|arraySync|data|array|join|forEach|push)$/;
/** Functions that only read their arguments, besides those that make tensors. */
const kLooks =
  /^(print|toPixels|dataSync|arraySync|predict|execute|executeAsync|evaluate|fit|trainOnBatch|draw|data|array)$/;

/** Returns an object like that of tensorsIn(), which uses imports, calls of `tf` and names declared with their results. */
export function tensorsByText(context) {
  const { sourceCode } = context;
  let usesLibrary;
  /** Returns where a name is declared with a value, if it only ever has this one. */
  function declarationOf(node) {
    const variable = node.type === 'Identifier' ? variableOf(node, sourceCode) : undefined;
    const [definition, second] = variable?.defs ?? [];
    return second ? undefined : definition;
  }
  const initOf = (node) => {
    const at = declarationOf(node)?.node;
    return at?.type === 'VariableDeclarator' && at.id.type === 'Identifier' ? (at.init ?? undefined) : undefined;
  };

  /** True for `tf`: an import of the whole library, a require() of it, or the global of a script. */
  function isNamespace(node) {
    if (node.type !== 'Identifier') return false;
    const definition = declarationOf(node);
    if (!definition) return node.name === 'tf' && !variableOf(node, sourceCode)?.defs.length;
    if (definition.type === 'ImportBinding')
      return (
        /^Import(Namespace|Default)Specifier$/.test(definition.node.type) &&
        isLibrarySource(definition.parent.source.value)
      );
    const init = definition.node.init && bare(definition.node.init);
    return (
      init?.type === 'CallExpression' && init.callee.name === 'require' && isLibrarySource(init.arguments[0]?.value)
    );
  }

  /** True for a function of the library: `tf.add`, `tf.image.resizeBilinear`, or an imported `add`. */
  function isOfNamespace(callee) {
    if (callee.type === 'MemberExpression') {
      let object = callee.object;
      while (object.type === 'MemberExpression') object = object.object;
      return isNamespace(object);
    }
    const definition = declarationOf(callee);
    return definition?.type === 'ImportBinding' && isLibrarySource(definition.parent.source.value);
  }

  const isModel = (node) => {
    const init = initOf(node);
    const call = init && bare(init);
    return (
      call?.type === 'CallExpression' && kModels.test(nameOf(call.callee)?.name ?? '') && isOfNamespace(call.callee)
    );
  };
  /** A frame of a webcam or a microphone, whose iterator is often an argument. */
  const isCapture = (call) => {
    if (nameOf(call.callee)?.name !== 'capture' || call.callee.type !== 'MemberExpression' || call.arguments.length > 0)
      return false;
    if (call.parent.type !== 'AwaitExpression') return false;
    const source = initOf(call.callee.object);
    return source ? isOfNamespace(bare(source).callee ?? source) : (usesLibrary ??= loadsLibrary(sourceCode));
  };
  /** Returns what a class gives its field at first: in its body or among the statements of its constructor. */
  const fieldsOf = new WeakMap();
  function fieldInit({ object, property, computed }) {
    const around = object.type === 'ThisExpression' && !computed ? classAround(object) : undefined;
    if (!around) return undefined;
    if (!fieldsOf.has(around)) fieldsOf.set(around, fieldsIn(around));
    return fieldsOf.get(around).get(nameIn(property));
  }

  const known = new WeakMap();
  /** Returns what a node is: 'tensor', 'several' or undefined. */
  function kindOf(node) {
    if (known.has(node)) return known.get(node);
    known.set(node, undefined);
    const kind = findKind(bare(node));
    known.set(node, kind);
    return kind;
  }
  function findKind(node) {
    if (node.type === 'Identifier') return initOf(node) ? kindOf(initOf(node)) : kindOfPart(node);
    if (node.type === 'MemberExpression') return fieldInit(node) && kindOf(fieldInit(node));
    if (node.type === 'ArrayExpression')
      return node.elements.some((each) => each && kindOf(each)) ? 'several' : undefined;
    if (node.type === 'ObjectExpression')
      return node.properties.some(({ value }) => value && kindOf(value)) ? 'several' : undefined;
    if (node.type !== 'CallExpression') return undefined;
    const { callee } = node;
    const name = nameOf(callee)?.name;
    if (name === undefined) return undefined;
    if (isCapture(node)) return 'tensor';
    if (isOfNamespace(callee)) {
      if (kScopes.test(name)) return kindOfResult(node.arguments.at(-1));
      if (name === 'keep') return node.arguments[0] && kindOf(node.arguments[0]);
      if (name === 'variable') return 'tensor';
      const space = callee.type === 'MemberExpression' ? nameOf(callee.object)?.name : undefined;
      return tensorOps.has(name) && !kOtherNamespaces.test(space ?? '') ? kindNamed(name) : undefined;
    }
    if (callee.type !== 'MemberExpression') return undefined;
    if (name === 'predict') return isModel(callee.object) ? 'tensor' : undefined;
    return tensorMethods.has(name) && kindOf(callee.object) === 'tensor' ? kindNamed(name) : undefined;
  }
  /** Returns what a name is that several tensors are taken apart into, or that a webcam gives its frames. */
  function kindOfPart(node) {
    const { node: declarator, name } = declarationOf(node) ?? {};
    if (declarator?.type !== 'VariableDeclarator' || (declarator.id === name && declarator.init)) return undefined;
    const { id, init } = declarator;
    const loop = declarator.parent.parent;
    if (loop.type === 'ForOfStatement' && loop.await && loop.left === declarator.parent)
      return isCamera(loop.right) ? 'tensor' : undefined;
    const call = init && bare(init);
    if (call?.type !== 'CallExpression' || id.type === 'Identifier') return undefined;
    const isStep =
      nameOf(call.callee)?.name === 'next' && call.callee.type === 'MemberExpression' && isCamera(call.callee.object);
    return kindOf(init) === 'several' || (isStep && name.name === 'value') ? 'tensor' : undefined;
  }
  /** Returns what a function in a scope returns, as far as its last statement says. */
  function kindOfResult(node) {
    if (!node || !isFunction(node)) return undefined;
    if (node.body.type !== 'BlockStatement') return kindOf(node.body);
    const last = node.body.body.at(-1);
    return last?.type === 'ReturnStatement' && last.argument ? kindOf(last.argument) : undefined;
  }

  const ofLibrary = new WeakMap();
  function isOfLibrary(callee) {
    if (!ofLibrary.has(callee)) ofLibrary.set(callee, isMadeByLibrary(callee));
    return ofLibrary.get(callee);
  }
  function isMadeByLibrary(callee) {
    if (isOfNamespace(callee)) return true;
    if (callee.type !== 'MemberExpression') return false;
    if (kindOf(callee.object) || isModel(callee.object)) return true;
    const init = initOf(callee.object) ?? callee.object;
    const call = bare(init);
    return call.type === 'CallExpression' ? isCapture(call) || isOfLibrary(call.callee) : isCapture(callee.parent);
  }
  function isCamera(node) {
    const call = bare(initOf(node) ?? node);
    return (
      call.type === 'CallExpression' &&
      /^(webcam|microphone)$/.test(nameOf(call.callee)?.name ?? '') &&
      isOfNamespace(call.callee)
    );
  }
  const isCallOfVariable = (node) => node.type === 'CallExpression' && nameOf(node.callee)?.name === 'variable';

  return {
    sourceCode,
    isTensor: (node) => kindOf(node) === 'tensor',
    holdsTensors: (node) => kindOf(node) !== undefined,
    isOfLibrary,
    isFresh(node) {
      const call = node && bare(node);
      if (call?.type !== 'CallExpression' || kOwned.test(nameOf(call.callee)?.name ?? '') || isCallOfVariable(call))
        return false;
      return kindOf(call) !== undefined && !isPromiseOfTensors(node);
    },
    isOp(node) {
      const name = nameOf(node.callee)?.name;
      return (
        name !== undefined &&
        isOfLibrary(node.callee) &&
        (kLooks.test(name) || (kindOf(node) !== undefined && name !== 'keep'))
      );
    },
    /** True for a function that returns a tensor, or what may be one as far as the text shows. */
    givesTensors(node) {
      const returned = node.body.type === 'BlockStatement' ? returnsOf(node) : [node.body];
      return returned.some((each) => mayHoldTensors(each));
    },
    isPromise: (node) =>
      isPromiseOfTensors(node) ||
      (node.type === 'CallExpression' && /^(data|array|executeAsync)$/.test(nameOf(node.callee)?.name ?? '')),
    mayBeMissing: (node) => !initOf(node),
    hasUsing: () => false,
    isAsyncFunction: (node) => (isFunction(node) ? node.async : isFunctionAsync(declarationOf(node))),
    isCamera,
    isCollection: (node) => /^(ArrayExpression|NewExpression)$/.test((initOf(node) ?? node).type),
  };

  function mayHoldTensors(node, depth = 0) {
    const value = bare(node);
    if (depth > 3 || kindOf(value) !== undefined) return true;
    if (value.type === 'ObjectExpression')
      return value.properties.some((each) => mayHoldTensors(each.value ?? each.argument, depth + 1));
    if (value.type === 'ArrayExpression') return value.elements.some((each) => each && mayHoldTensors(each, depth + 1));
    if (value.type === 'ConditionalExpression')
      return [value.consequent, value.alternate].some((each) => mayHoldTensors(each, depth + 1));
    if (value.type === 'Identifier')
      return initOf(value) ? mayHoldTensors(initOf(value), depth + 1) : variableOf(value, sourceCode) !== undefined;
    return value.type === 'CallExpression' && !kReads.test(nameOf(value.callee)?.name ?? '');
  }

  /** True for a call whose promise nobody has waited for. */
  function isPromiseOfTensors(node) {
    if (node.type !== 'CallExpression') return false;
    const name = nameOf(node.callee)?.name ?? '';
    return (isCapture(node) || /Async$/.test(name)) && node.parent.type !== 'AwaitExpression';
  }

  /** Returns what the return statements of a function return, those of functions inside it left out. */
  function returnsOf(node) {
    const found = [];
    const waiting = [node.body];
    while (waiting.length > 0) {
      const at = waiting.pop();
      if (at.type === 'ReturnStatement' && at.argument) found.push(at.argument);
      if (isFunction(at)) continue;
      for (const key of sourceCode.visitorKeys[at.type] ?? []) {
        for (const child of [at[key]].flat())
          if (child && /Statement$|^Switch|^Catch/.test(child.type)) waiting.push(child);
      }
    }
    return found;
  }
}

function kindNamed(name) {
  return severalOps.has(name) ? 'several' : 'tensor';
}

function isFunctionAsync(definition) {
  const node = definition?.node;
  return Boolean(
    node?.type === 'FunctionDeclaration' ? node.async : node?.init && isFunction(node.init) && node.init.async,
  );
}

/** True if a file imports the library, in whole or in part, or has it from require(). */
export function loadsLibrary({ scopeManager }) {
  const definitions = scopeManager.scopes.flatMap((scope) => scope.variables.flatMap((variable) => variable.defs));
  return definitions.some(({ type, parent, node }) => {
    if (type === 'ImportBinding') return isLibrarySource(parent.source.value);
    return (
      type === 'Variable' && node.init?.callee?.name === 'require' && isLibrarySource(node.init.arguments[0]?.value)
    );
  });
}

/** Returns the first values of the fields of a class by their names. */
function fieldsIn({ body }) {
  const fields = new Map();
  for (const member of body.body) {
    if (member.type === 'PropertyDefinition' && !member.computed && member.value)
      fields.set(nameIn(member.key), member.value);
    if (member.kind !== 'constructor') continue;
    for (const { expression } of member.value.body.body) {
      const { left, right, operator } = expression ?? {};
      if (operator === '=' && left.type === 'MemberExpression' && left.object.type === 'ThisExpression')
        fields.set(nameIn(left.property), right);
    }
  }
  return fields;
}
