// Compares the package's exported types with those of TensorFlow.js 4.22: missing names, members of classes and of parameters,
// and the number of type parameters. Permanent differences have their reasons in reasons.mjs.
import path from 'node:path';
import ts from 'typescript';
import { root } from '../../cpp/toolchain/use.mjs';
import { absent } from '../conformance/reasons.mjs';
import { usePeers } from '../conformance/specs.mjs';
import { different } from './reasons.mjs';

usePeers();

const kPeers = 'tests/conformance/node_modules/@tensorflow';
const at = (file) => path.join(root, file);
const typesOf = (name) => at(`${kPeers}/tfjs-${name}/dist/index.d.ts`);
const kOurs = at('web/src/index.ts');
const kAround = at('web/src/tfjs/index.ts');
const kHidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
const kParts = ['core', 'layers', 'converter', 'data'];

const { config } = ts.readConfigFile(at('tsconfig.json'), ts.sys.readFile);
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
const program = ts.createProgram([kOurs, kAround, at('web/src/globals.d.ts'), ...kParts.map(typesOf)], {
  ...options,
  noEmit: true,
});
const checker = program.getTypeChecker();
const found = new Set();
const compared = new Set();
/** Names missing at run time have their reasons there. */
const values = new Set(absent.flatMap(({ names }) => names));
/** Exported classes, whose members are not compared again in classes that extend them. */
const exported = new Set(kParts.flatMap((part) => [...exportsOf(moduleOf(typesOf(part))).values()]));

const ours = exportsOf(moduleOf(kOurs));
const around = exportsOf(moduleOf(kAround));
for (const part of kParts) {
  const [space, mine] = part === 'data' ? ['data.', exportsOf(ours.get('data'))] : ['', ours];
  compareExports(exportsOf(moduleOf(typesOf(part))), mine, space);
}
for (const member of publicMembers(instanceOf(ours.get('Tensor'))).values()) {
  if (member.getDocumentationComment(checker).length === 0) found.add(`Tensor.${member.name} has no docstring`);
}

const known = different.flatMap(({ names }) => names);
const fits = (name) => (one) => (one instanceof RegExp ? one.test(name) : one === name);
const unknown = [...found].filter((name) => !values.has(name) && !known.some(fits(name))).sort();
const gone = known.filter((one) => ![...found].some((name) => fits(name)(one)));
for (const name of unknown)
  console.error(`${name}: not as in TensorFlow.js, and tests/types/reasons.mjs does not say why`);
for (const one of gone) console.error(`${one}: as in TensorFlow.js, and tests/types/reasons.mjs says otherwise`);
if (unknown.length + gone.length > 0) process.exit(1);
console.log(`${found.size} differences from the types of TensorFlow.js, each with its reason`);

function moduleOf(file) {
  return checker.getSymbolAtLocation(program.getSourceFile(file));
}

function exportsOf(symbol) {
  return new Map(checker.getExportsOfModule(symbol).map((one) => [one.name, resolved(one)]));
}

function resolved(symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function compareExports(theirs, mine, space) {
  for (const [name, symbol] of theirs) {
    if (name === 'default' || values.has(space + name) || (space === 'backend_util.' && exported.has(symbol))) continue;
    // Names that only packages for TensorFlow.js use are in tenure/tfjs.
    const own = mine.get(name) ?? (space === '' ? around.get(name) : undefined);
    if (!own) found.add(space + name);
    if (!own || compared.has(symbol)) continue;
    compared.add(symbol);
    if (symbol.flags & ts.SymbolFlags.ValueModule)
      compareExports(exportsOf(symbol), membersOf(own), `${space}${name}.`);
    else compare(symbol, own, space + name);
  }
}

/** Returns the members of a namespace, whether it is a module or an object of functions. */
function membersOf(symbol) {
  if (symbol.flags & ts.SymbolFlags.ValueModule) return exportsOf(symbol);
  return new Map(
    checker
      .getTypeOfSymbol(symbol)
      .getProperties()
      .map((member) => [member.name, member]),
  );
}

function compare(theirs, own, name) {
  for (const [flag, what] of [
    [ts.SymbolFlags.Type, 'as a type'],
    [ts.SymbolFlags.Value, 'as a value'],
  ]) {
    if (theirs.flags & flag && !((own.flags | (around.get(name)?.flags ?? 0)) & flag)) found.add(`${name} ${what}`);
  }
  if (theirs.flags & own.flags & ts.SymbolFlags.Type) {
    if (!takes(parametersOf(own), parametersOf(theirs))) found.add(`${name}<>`);
    // An alias of a class is compared as the class.
    if (!(theirs.flags & ts.SymbolFlags.TypeAlias && instanceOf(theirs).symbol?.flags & ts.SymbolFlags.Class)) {
      compareMembers(instanceOf(theirs), instanceOf(own), name);
    }
  }
  if (!(theirs.flags & own.flags & ts.SymbolFlags.Value)) return;
  const [type, ownType] = [theirs, own].map((symbol) => checker.getTypeOfSymbol(symbol));
  if (theirs.flags & ts.SymbolFlags.Class) compareMembers(type, ownType, name);
  compareCalls(type, ownType, name);
}

/** Checks that the class has every public member of TensorFlow.js's, and that methods take as many type arguments. */
function compareMembers(theirs, own, name) {
  if (!theirs || !own || !(theirs.flags & ts.TypeFlags.Object) || checker.isArrayLikeType(theirs)) return;
  const members = publicMembers(own);
  const bases = basesOf(theirs).filter(({ symbol }) => exported.has(symbol));
  for (const [member, symbol] of publicMembers(theirs)) {
    const isInherited =
      bases.some((base) => base.getProperty(member)) ||
      (symbol.parent !== theirs.symbol && exported.has(symbol.parent));
    if (isInherited) continue;
    if (!members.has(member)) found.add(`${name}.${member}`);
    else
      compareCalls(checker.getTypeOfSymbol(symbol), checker.getTypeOfSymbol(members.get(member)), `${name}.${member}`);
  }
}

function basesOf(type) {
  const direct = type.isClassOrInterface() ? checker.getBaseTypes(type) : [];
  return direct.flatMap((base) => [base, ...basesOf(base)]);
}

/** Returns the declared members that are not private, protected or internal. */
function publicMembers(type) {
  const isPublic = (member) =>
    /^[a-zA-Z]\w*$/.test(member.name) &&
    member.name !== 'prototype' &&
    !(member.declarations ?? []).some(
      (one) =>
        ts.getCombinedModifierFlags(one) & kHidden ||
        ts.getJSDocTags(one).some(({ tagName }) => tagName.text === 'internal'),
    );
  return new Map(
    checker
      .getPropertiesOfType(type)
      .filter(isPublic)
      .map((member) => [member.name, member]),
  );
}

/** Checks that calls with explicit type arguments are possible. */
function compareCalls(theirs, own, name) {
  const [counts, mine] = [theirs, own].map((type) => type.getNonNullableType().getCallSignatures().map(countsOf));
  if (mine.length === 0) return;
  if (counts.some((count) => count[1] > 0 && !mine.some((one) => takes(one, count)))) found.add(`${name}<>()`);
}

function countsOf({ declaration, typeParameters = [] }) {
  return rangeOf(declaration?.typeParameters ?? typeParameters.map((one) => one.symbol.declarations[0]));
}

function parametersOf(symbol) {
  return rangeOf(symbol.declarations.find((one) => one.typeParameters)?.typeParameters ?? []);
}

/** Returns the minimum and maximum number of type arguments. */
function rangeOf(parameters) {
  return [parameters.filter((one) => !one.default).length, parameters.length];
}

function takes([least, most], [theirLeast, theirMost]) {
  return least <= theirLeast && most >= theirMost;
}

function instanceOf(symbol) {
  return checker.getDeclaredTypeOfSymbol(symbol);
}
