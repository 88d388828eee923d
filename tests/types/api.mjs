// Compares the public API with its snapshot in api.txt: each export and each public or protected member, a line each, as the
// published declarations have it. `node tests/types/api.mjs --write` rewrites the snapshot. `~` marks a type that has no export
// and that an exported declaration refers to.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from '../../cpp/toolchain/use.mjs';

const at = (...parts) => path.join(root, ...parts);
const kSnapshot = at('tests/types/api.txt');
const kTypes = at('dist/types');
/** Entries of the package. One that re-exports another comes after it. */
const kEntries = {
  tenure: 'index.d.ts',
  'tenure/tfjs': 'tfjs/index.d.ts',
  'tenure/memory': 'memory_element/index.d.ts',
};
const kMaxShownLines = 40;
const kModifiers =
  /^(?:(?:export|default|declare|public|override|protected|static|abstract|readonly|const|function) )+/;

const printer = ts.createPrinter({ removeComments: true });
const { program, checker } = loadDeclarations(emitDeclarations());
/** Name of each symbol that is listed: that of its first export, or `~` and its own. */
const names = new Map();
const pending = [];
const lines = new Set();

for (const [entry, file] of Object.entries(kEntries)) {
  const module = checker.getSymbolAtLocation(program.getSourceFile(path.join(kTypes, file)));
  listExports(module, entry === 'tenure' ? '' : `${entry} `);
}
for (const symbol of pending) describe(symbol);

const snapshot = `${[...lines].sort().join('\n')}\n`;
if (process.argv.includes('--write')) writeFileSync(kSnapshot, snapshot);
else compare(readFileSync(kSnapshot, 'utf8').split('\n'), snapshot.split('\n'));
console.log(`${lines.size} lines of public API`);

/** Returns the text of the declarations that the build publishes, by path. */
function emitDeclarations() {
  const { config } = ts.readConfigFile(at('tsconfig.build.json'), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const files = new Map([
    [path.join(kTypes, 'generated/tenure.d.ts'), readFileSync(at('web/src/generated/tenure.d.ts'), 'utf8')],
  ]);
  ts.createProgram(fileNames, options).emit(
    undefined,
    (file, text) => files.set(path.normalize(file), text),
    undefined,
    true,
  );
  return files;
}

/** Returns a program of declarations that are in memory only. */
function loadDeclarations(files) {
  const { config } = ts.readConfigFile(at('tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (file) => files.has(file) || (!file.startsWith(kTypes) && fileExists(file));
  host.readFile = (file) => files.get(file) ?? readFile(file);
  host.directoryExists = undefined;
  const program = ts.createProgram(
    Object.values(kEntries).map((file) => path.join(kTypes, file)),
    options,
    host,
  );
  return { program, checker: program.getTypeChecker() };
}

function resolveAlias(symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Lists the exports of a module, then those of the modules that it exports as namespaces. */
function listExports(module, prefix) {
  const namespaces = [];
  for (const one of checker.getExportsOfModule(module)) {
    const symbol = resolveAlias(one);
    const name = `${prefix}${one.name}`;
    if (symbol.flags & ts.SymbolFlags.ValueModule) {
      namespaces.push([symbol, name]);
    } else if (!names.has(symbol)) {
      names.set(symbol, name);
      pending.push(symbol);
    } else if (names.get(symbol) !== one.name) {
      lines.add(`${name}: same as ${names.get(symbol)}`);
    }
  }
  for (const [symbol, name] of namespaces) {
    if (!names.has(symbol)) {
      names.set(symbol, name);
      lines.add(`${name}: namespace`);
      listExports(symbol, `${name}.`);
    } else if (names.get(symbol) !== name.slice(prefix.length)) {
      lines.add(`${name}: same as ${names.get(symbol)}`);
    }
  }
}

function describe(symbol) {
  const name = names.get(symbol);
  for (const node of symbol.declarations) {
    if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) {
      const kind = ts.isInterfaceDeclaration(node) ? 'interface' : isAbstract(node) ? 'abstract class' : 'class';
      const heritage = (node.heritageClauses ?? []).map((clause) => ` ${print(clause)}`).join('');
      lines.add(`${name}${printTypeParameters(node)}: ${kind}${heritage}`);
      (node.heritageClauses ?? []).forEach(listReferences);
      describeMembers(node.members, name);
    } else if (ts.isEnumDeclaration(node)) {
      lines.add(`${name}: enum`);
      for (const member of node.members) lines.add(`${name}.${print(member)}`);
    } else if (ts.isTypeAliasDeclaration(node)) {
      lines.add(`${name}${printTypeParameters(node)}: type ${print(node.type)}`);
      listReferences(node);
    } else if (ts.isVariableDeclaration(node) && node.type && ts.isTypeLiteralNode(node.type)) {
      lines.add(`${name}: object`);
      describeMembers(node.type.members, name);
    } else {
      lines.add(`${name}${print(node).replace(kModifiers, '').slice(node.name.text.length)}`);
      listReferences(node);
    }
  }
}

function describeMembers(members, name) {
  for (const member of members) {
    if (
      ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private ||
      (member.name && ts.isPrivateIdentifier(member.name))
    )
      continue;
    const text = print(member);
    const modifiers =
      kModifiers
        .exec(text)?.[0]
        .split(' ')
        .filter((word) => word && word !== 'public') ?? [];
    const [, accessor = '', signature] = /^([gs]et (?=[\w[]))?(.*)$/.exec(text.replace(kModifiers, ''));
    const marks = [...modifiers, accessor.trim()].filter(Boolean);
    const separator =
      /^[\w[]/.test(signature) && !signature.startsWith('[') && !signature.startsWith('new ') ? '.' : ' ';
    lines.add(`${name}${separator}${signature}${marks.length > 0 ? `  [${marks.join(' ')}]` : ''}`);
    listReferences(member);
  }
}

function isAbstract(node) {
  return (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Abstract) !== 0;
}

function print(node) {
  const text = printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile());
  return text
    .replace(/import\("[^"]*"\)\./g, '')
    .replace(/\s+/g, ' ')
    .replace(/;$/, '')
    .trim();
}

function printTypeParameters({ typeParameters }) {
  return typeParameters ? `<${typeParameters.map(print).join(', ')}>` : '';
}

/** Lists the types of the package that a declaration refers to and that have no export. */
function listReferences(node) {
  if (ts.isIdentifier(node)) {
    const found = checker.getSymbolAtLocation(node);
    const symbol = found && resolveAlias(found);
    const declaration = symbol?.declarations?.[0];
    if (!declaration || names.has(symbol) || !isTopLevel(declaration)) return;
    const own = [...names.values()].includes(`~${symbol.name}`)
      ? `${symbol.name} of ${path.relative(kTypes, declaration.getSourceFile().fileName)}`
      : symbol.name;
    names.set(symbol, `~${own}`);
    pending.push(symbol);
  }
  ts.forEachChild(node, listReferences);
}

function isTopLevel(declaration) {
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return statement.parent && ts.isSourceFile(statement.parent) && statement.parent.fileName.startsWith(kTypes);
}

function compare(expected, actual) {
  const [before, after] = [new Set(expected), new Set(actual)];
  const changes = [
    ...expected.filter((line) => !after.has(line)).map((line) => `- ${line}`),
    ...actual.filter((line) => !before.has(line)).map((line) => `+ ${line}`),
  ];
  if (changes.length === 0) return;
  const order = (line) => line.slice(2);
  changes.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  console.error(`The public API differs from tests/types/api.txt:\n${changes.slice(0, kMaxShownLines).join('\n')}`);
  if (changes.length > kMaxShownLines) console.error(`and ${changes.length - kMaxShownLines} lines more`);
  console.error('If the change is meant, run `node tests/types/api.mjs --write` and commit the file.');
  process.exit(1);
}
