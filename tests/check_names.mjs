// Fails if web/src declares a name that has a standard term: names that said what they meant only to those who wrote them.
// Names that are common words are forbidden only for what other files or other functions of the file can refer to.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { findFiles, root } from '../cpp/toolchain/use.mjs';

/** Standard terms for words in any name, by the word in camel case. */
const kWords = [
  [/^kMost(?![a-z])/, 'kMax...'],
  [/^kFew(?![a-z])/, 'kMax...'],
  [/^kMany(?![a-z])/, 'kMin...'],
  [/^least(?![a-z])|Least(?![a-z])/, 'min'],
];

/** Standard terms for names of anything. */
const kNames = {
  placeNow: 'captureContext',
  goBack: 'restoreContext',
  enterManual: 'enterStartedScope',
  nameHolders: 'attachLargestTensors',
  handOver: 'moveToParentScope',
  whatIsNext: 'onLoadCallbacks',
  wasCutShort: 'wasInterrupted',
  isThere: 'isModuleLoaded',
  fetchAhead: 'preload',
  fetchAnew: 'clearPreloads',
  linkTo: 'setPrimaryInstance',
  comesFrom: 'setWasmSources',
  locateBy: 'setLocateFile',
  isAtHome: 'usesDefaultLocation',
  summonWorkers: 'requestWorkers',
  kAloneMs: 'startupThresholdMs',
  usedLate: 'describeUseAfterDispose',
  callLayers: 'buildGraph',
  engineNumber: 'engineHandle',
  showFields: 'defineFieldGetters',
  giveBack: 'release',
  stepByOps: 'trainStepEager',
  judgeByOps: 'evalStepEager',
  ours: 'trainRange',
  sendsAway: 'transfersBuffers',
  EveryStage: 'StrideStage',
  withOwnArrays: 'copyTypedArrays',
  callWith: 'callWithAttrs',
  kMissing: 'kOmitted',
  kStays: 'kAlwaysPrimary',
};

/** Standard terms for names of functions, methods, classes, types, accessors and constants of files. */
const kDeclarations = {
  Place: 'AsyncScopeContext',
  composed: 'runInInternalScope',
  lack: 'setLoadError',
  told: 'readMessage',
  follow: 'syncCurrentScope',
  mend: 'repairAfterInterrupt',
  endStale: 'closeStaleFrames',
  Orders: 'WorkerMessage',
  tell: 'flushWarnings',
  survivors: 'recordLeak',
  doing: 'setCurrentOp',
  Entrance: 'EntryPoint',
  strays: 'unscoped_tensors',
  abandoned: 'abandoned_iterators',
  faults: 'fault_injection',
  judge: 'evalStep',
  Ref: 'TensorRef',
  number: 'handle',
  refuse: 'readonlySetter',
  disown: 'release',
  hold: 'retain',
  abandon: 'release',
  weigh: 'computeSampleWeights',
  arrange: 'standardizeInputs',
  Objective: 'CompiledLosses',
  Training: 'Trainer',
  Port: 'TensorSpec',
  Watch: 'FitSession',
  meet: 'restoreShuffle',
  processors: 'hardwareConcurrency',
  State: 'a name that says of what',
  Pass: 'a name that says of what',
  Chain: 'a name that says of what',
  Loop: 'a name that says of what',
  Rows: 'a name that says of what',
  Recorder: 'Tracer',
  Crossings: 'TransferStats',
};

const wrong = [];
for (const file of findFiles('web/src', /(?<!\.d)\.ts$/)) {
  const text = readFileSync(path.join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const visit = (node) => {
    if (declares(node)) checkName(node, source, file);
    ts.forEachChild(node, visit);
  };
  visit(source);
}
if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exit(1);
}

/** True if a node declares a name of this file: imports have the names of other declarations, and literals those of types. */
function declares(node) {
  return (
    node.name !== undefined &&
    (ts.isIdentifier(node.name) || ts.isPrivateIdentifier(node.name)) &&
    (ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isTypeElement(node) ||
      ts.isClassElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isEnumDeclaration(node))
  );
}

/** Reports the name that a node declares if there is a standard term for it. */
function checkName(node, source, file) {
  const name = node.name.text.replace(/^#/, '');
  const term =
    kWords.find(([word]) => word.test(name))?.[1] ??
    getOwn(kNames, name) ??
    (isLocal(node) ? undefined : getOwn(kDeclarations, name));
  if (!term) return;
  const { line } = source.getLineAndCharacterOfPosition(node.name.getStart(source));
  wrong.push(`${file}:${line + 1}: the standard term for "${name}" is ${term}`);
}

function getOwn(table, name) {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** True for parameters, variables of functions and properties, whose names are often plain words. */
function isLocal(node) {
  if (ts.isParameter(node) || ts.isBindingElement(node)) return true;
  if (ts.isPropertyDeclaration(node) || ts.isPropertySignature(node)) return true;
  return ts.isVariableDeclaration(node) && !ts.isSourceFile(node.parent.parent.parent);
}
