// Docstrings of the package's exports, and the examples in them.
import path from 'node:path';
import ts from 'typescript';
import { root } from '../cpp/toolchain/use.mjs';

/** True if the examples of a source dispose what they make. Examples of other sources run inside a scope. */
export const isOwning = (file) => /^web\/src\/(owner\/|debug\/|engine)/.test(file);
/** True if a page can run an example: the page's policy forbids modules at data: addresses, and tf.node exists only in Node. */
export const runsInPages = (code) => !/data:text\/javascript|tf\.node\./.test(code);
/** Matches the beginning of a comment that is a value: `[1, 2]`, `'float32'`, `5: the variables`. */
const kValue =
  /^(\[.*\]|\{.*\}|'(?:[^'\\]|\\.)*'|-?[\d.]+(?:e-?\d+)?|-?Infinity|NaN|true|false|null|undefined)(?:[:;,] .*)?$/s;
const kThrows = /^throws (\w+: .*)$/;

/**
 * Returns the package's exports by the names that programs use, such as `tf.linalg.qr`: each with its docstring's text, the
 * code of its examples, and what running them requires.
 */
export function documentedExports() {
  const index = path.join(root, 'web/src/index.ts');
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const globals = path.join(root, 'web/src/globals.d.ts');
  const program = ts.createProgram([index, globals], { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(index));

  const found = [];
  for (const symbol of checker.getExportsOfModule(module)) {
    const target = resolved(symbol);
    found.push(described(`tf.${symbol.name}`, target));
    for (const member of membersOf(target)) found.push(described(`tf.${symbol.name}.${member.name}`, resolved(member)));
    for (const method of methodsOf(target))
      found.push({ ...described(`tf.${symbol.name}.${method.name}`, method), isMethod: true });
  }
  return found;

  function resolved(symbol) {
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  }

  /** Returns the members of a namespace, whether it is a module or an object of functions. */
  function membersOf(symbol) {
    if (symbol.flags & ts.SymbolFlags.ValueModule) {
      return checker
        .getExportsOfModule(symbol)
        .filter((member) => !(resolved(member).flags & ts.SymbolFlags.ValueModule));
    }
    const declaration = symbol.valueDeclaration;
    if (!declaration || !ts.isVariableDeclaration(declaration) || /^[A-Z]/.test(symbol.name)) return [];
    const type = checker.getTypeOfSymbol(symbol);
    const members = checker.isArrayLikeType(type) || type.getCallSignatures().length > 0 ? [] : type.getProperties();
    return members.some((member) => checker.getTypeOfSymbol(member).getCallSignatures().length > 0) ? members : [];
  }

  /** Returns a class's own methods, some of which have examples. */
  function methodsOf(symbol) {
    const members = symbol.flags & ts.SymbolFlags.Class ? [...symbol.members.values()] : [];
    return members.filter((member) => member.flags & ts.SymbolFlags.Method && /^\w+$/.test(member.name));
  }

  function described(name, symbol) {
    const type = symbol.flags & ts.SymbolFlags.Value ? checker.getTypeOfSymbol(symbol) : undefined;
    // A second name of a function has the docstring of the first.
    const sources = [symbol, ...(type?.getCallSignatures() ?? [])];
    const said = sources.find((source) => source.getDocumentationComment(checker).length > 0);
    const told = sources.find((source) => examplesOf(source).length > 0);
    const declaration = (told ?? symbol).declaration ?? symbol.declarations?.[0];
    const file = declaration ? path.relative(root, declaration.getSourceFile().fileName).replaceAll(path.sep, '/') : '';
    return {
      name,
      file,
      text: said ? ts.displayPartsToString(said.getDocumentationComment(checker)) : '',
      examples: told ? examplesOf(told) : [],
      isType: !(symbol.flags & ts.SymbolFlags.Value),
      owns: isOwning(file),
      inDebug: file.startsWith('web/src/debug/'),
    };
  }

  function examplesOf(source) {
    const tags = source.getJsDocTags(checker).filter((tag) => tag.name === 'example');
    return tags.map((tag) => ts.displayPartsToString(tag.text).trim());
  }
}

/** Returns an example as a program of its own, which prints the values that its comments state. */
export function asProgram(code, owns) {
  const { text } = edited(code, (node, { throws }) => {
    if (throws) return [node, 'try {\n  ', '\n} catch (error) {\n  console.log(String(error));\n}'];
    if (ts.isExpressionStatement(node)) return [node.expression, 'console.log(', ')'];
    return [node, '', `\nconsole.log(${namesIn(node)});`];
  });
  const isDebug = /\btf\.debug\./.test(code);
  const [before, after] = owns ? ['', ''] : ['tf.engine().startScope();\n', '\ntf.engine().endScope();'];
  return `import * as tf from 'tenure${isDebug ? '/debug' : ''}';\n\n${before}${text}${after}\n`;
}

/**
 * Returns the code of an example with `check(i, value)` around each expression whose value a comment states, and `throws(i,
 * fn)` around what throws, together with the stated values. Both may be promises.
 */
export function instrumented(code, check = 'check', throws = 'throws') {
  return edited(code, (node, said, i, wait) => {
    if (said.throws) return [node.expression, `${wait}${throws}(${i}, async () => (`, '))'];
    if (ts.isExpressionStatement(node)) return [node.expression, `${wait}${check}(${i}, (`, '))'];
    return [node, '', ` ${wait}${check}(${i}, ${namesIn(node)});`];
  });
}

/**
 * Returns the code of an example with text inserted before and after each statement whose value a comment states; `around`
 * returns both texts.
 */
function edited(code, around) {
  const source = ts.createSourceFile('example.js', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const said = [];
  const edits = [];
  const visit = (node, wait) => {
    if (ts.isExpressionStatement(node) || ts.isVariableStatement(node)) {
      const [, comment] = /^[ \t]*\n?[ \t]*\/\/ ?(.*)/.exec(code.slice(node.getEnd())) ?? [];
      const value = comment && kValue.exec(comment)?.[1];
      const throws = comment && kThrows.exec(comment)?.[1];
      if (throws || value !== undefined) {
        const [part, before, after] = around(node, { value, throws }, said.length, wait);
        edits.push([part.getStart(), before], [part.getEnd(), after]);
        said.push({ value, throws });
      }
    }
    const isFunction = ts.isFunctionLike(node);
    ts.forEachChild(node, (child) => visit(child, isFunction ? '' : wait));
  };
  visit(source, 'await ');
  let text = code;
  for (const [at, insert] of edits.toSorted(([a], [b]) => b - a)) text = text.slice(0, at) + insert + text.slice(at);
  return { text, said };
}

/** Returns an expression of the names that a declaration declares. */
function namesIn(statement) {
  const { name } = statement.declarationList.declarations.at(-1);
  return ts.isArrayBindingPattern(name)
    ? `[${name.elements.map((each) => each.name.getText()).join(', ')}]`
    : ts.isObjectBindingPattern(name)
      ? `{ ${name.elements.map((each) => each.name.getText()).join(', ')} }`
      : name.getText();
}
