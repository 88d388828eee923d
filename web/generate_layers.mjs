// Generates TypeScript from cpp/lists/layers.def, for web/generate.mjs: the layers' rows, tf.layers' factories, and the types
// of the layers that these create.
import { docstring } from './docstring.mjs';

const kLetters = {
  SIZES: 'n',
  ACTIVATION: 'a',
  INITIALIZER: 'i',
  REGULARIZER: 'r',
  CONSTRAINT: 'c',
  NESTED: 'l',
  OMIT_DEFAULT: 'u',
};
/** Rows and columns that are added or removed: for all sides, for each axis, or for each of the four sides. */
const kMargins = 'number | [number, number] | [[number, number], [number, number]]';
const kTypes = {
  INT: 'number',
  NUMBER: 'number',
  FLAG: 'boolean',
  LIST: 'Shape',
  INPUT: 'number',
  ANY: kMargins,
  PADDING: "'valid' | 'same' | 'causal'",
  DATA_FORMAT: "'channelsFirst' | 'channelsLast'",
  INTERPOLATION: "'nearest' | 'bilinear'",
  SIZES: 'number | number[]',
  ACTIVATION: 'Activation',
  INITIALIZER: 'InitializerIdentifier',
  REGULARIZER: 'RegularizerIdentifier',
  CONSTRAINT: 'ConstraintIdentifier',
  NESTED: 'Layer',
};
/** Types of fields that are more exact than those of their kinds, by name. */
const kFieldTypes = {
  axes: 'number | [number, number]',
  axis: 'number | number[]',
  cell: 'RNNCell | RNNCell[]',
  cells: 'RNNCell[]',
  dataFormat: kTypes.DATA_FORMAT,
  dims: 'number[]',
  factor: 'number | [number, number]',
  inputLength: 'number | number[]',
  mergeMode: "'sum' | 'mul' | 'concat' | 'ave' | null",
  noiseShape: 'Shape',
  outputMode: "'int' | 'oneHot' | 'multiHot' | 'count' | 'tfIdf'",
  sharedAxes: 'number[]',
};

/** Types of the fields of a layer, where they differ from those of the arguments. */
const kValueTypes = {
  SIZES: 'number[]',
  INITIALIZER: 'Initializer',
  REGULARIZER: 'Regularizer | null',
  CONSTRAINT: 'Constraint | null',
};
/** Classes in the sources, which declare their fields themselves. */
const kWritten = ['RNN', 'StackedRNNCells', 'TimeDistributed', 'Bidirectional'];
/** Fields that the base classes declare. */
const kInherited = ['activityRegularizer', 'stateful', 'returnSequences', 'returnState', 'goBackwards', 'unroll'];

/** Returns the rows of the list, and the names that are aliases. */
export function readLayers(list) {
  const docs = new Map(
    Array.from(
      list.matchAll(/^\/\/\/ (?!@param)(.*)\n(?:\/\/\/ @param .*\n)*LAYER\((\w+),/gm),
      ([, doc, className]) => [className, doc],
    ),
  );
  const sentences = readSentences(list);
  const code = expanded(list.replace(/\/\/.*$/gm, ''));
  const layers = [...code.matchAll(/^LAYER\((\w+), (\w*), (.*)\)$/gm)].map(([, className, factory, fields]) => ({
    className,
    doc: docs.get(className),
    factory,
    fields: [...fields.matchAll(/([A-Z_]+)\(([^()]*)\)/g)].map(([, kind, inner]) =>
      fieldOf(
        kind,
        inner.split(',').map((part) => part.trim()),
      ),
    ),
    sentences: { ...sentences.get(''), ...sentences.get(className) },
  }));
  checkNames(sentences, layers);
  const aliases = [...code.matchAll(/^ALIAS\((\w+), (\w+)\)$/gm)].map(([, name, factory]) => ({ name, factory }));
  return { layers, aliases };
}

/** Returns the sentences of the `/// @param` lines by field: those above a LAYER by its class, those of all layers by ''. */
function readSentences(list) {
  const sentences = new Map();
  for (const [, lines, className = ''] of list.matchAll(/((?:^\/\/\/ @param .*\n)+)(?:LAYER\((\w+),)?/gm)) {
    const pairs = Array.from(lines.matchAll(/@param (\w+) (.*)/g), ([, name, text]) => [camel(name), text]);
    sentences.set(className, Object.fromEntries(pairs));
  }
  return sentences;
}

/** Throws if a sentence names no field of its layer, or of any layer. */
function checkNames(sentences, layers) {
  for (const [className, texts] of sentences) {
    const names = new Set(
      layers
        .filter((layer) => className === '' || layer.className === className)
        .flatMap(({ fields }) => fields.map(({ name }) => name)),
    );
    const unknown = Object.keys(texts).filter((name) => !names.has(name));
    if (unknown.length > 0)
      throw new Error(`cpp/lists/layers.def: no field ${unknown.join(', ')} of ${className || 'any layer'}`);
  }
}

/** Expands macros like C's preprocessor, as far as the list needs it. */
function expanded(code) {
  const macros = [];
  let rest = code.replace(/^#define (\w+)(?:\((\w+)\))? (.*)$/gm, (_, name, parameter, body) => {
    macros.push({ name, parameter, body });
    return '';
  });
  for (const { name, parameter, body } of macros.reverse()) {
    rest = parameter
      ? rest.replace(new RegExp(`\\b${name}\\((\\w+)\\)`, 'g'), (_, given) =>
          body.replace(new RegExp(`\\b${parameter}\\b`, 'g'), given),
        )
      : rest.replace(new RegExp(`\\b${name}\\b(?!\\()`, 'g'), body);
  }
  return rest;
}

function fieldOf(kind, [name, ...rest]) {
  const rank = kind === 'SIZES' ? rest.shift() : '';
  return { kind, name: camel(name), rank, initial: rest[0] && camel(rest[0]) };
}

/**
 * Returns the rows: "units activation:a=linear useBias=true" is a field's name, kind and default, as
 * models/layers/layer_fields.ts reads them.
 */
export function rowsSource({ layers }) {
  const rows = layers.map(({ className, fields }) => {
    const words = fields
      .filter(({ kind }) => kind !== 'KERAS_ONLY' && kind !== 'INPUT')
      .map(({ kind, name, rank, initial }) => {
        const letter = kLetters[kind] ? `:${kLetters[kind]}${rank}` : '';
        return name + letter + (initial === undefined ? '!' : initial === 'none' ? '' : `=${initial}`);
      });
    return `  ${className}: '${words.join(' ')}',\n`;
  });
  return [
    '// Generated by web/generate.mjs from cpp/lists/layers.def. Do not edit.',
    '',
    '/** The fields of each class of layers: a name, its kind, and `=` with its default, or `!` where it must be given. */',
    `export const layerRows: Readonly<Record<string, string>> = {\n${rows.join('')}};`,
    '',
  ].join('\n');
}

export function factoriesSource({ layers, aliases }) {
  const offered = layers.filter(({ factory }) => factory);
  return [
    '// Generated by web/generate.mjs from cpp/lists/layers.def. Do not edit.',
    "import type { Shape } from '../../runtime/types.js';",
    "import { makeLayer } from './make_layer.js';",
    "import type { Activation, ConstraintIdentifier, InitializerIdentifier, RegularizerIdentifier } from '../identifiers.js';",
    "import type { Layer, LayerArgs } from './layer.js';",
    "import type * as classes from './layer_classes.js';",
    "import type { RNN } from './recurrent.js';",
    "import type { RNNCell, StackedRNNCells } from './recurrent_cells.js';",
    "import type { Bidirectional, TimeDistributed } from './wrappers.js';",
    '',
    ...offered.filter(hasFields).map(argsSource),
    ...offered.map((layer) => {
      const { className, factory, fields } = layer;
      const must = fields.some(({ kind, initial }) => kind !== 'KERAS_ONLY' && initial === undefined);
      const result = resultOf(layer);
      const made = `makeLayer('${className}', args)`;
      return `${said(layer)}export const ${factory} = (args${must ? '' : '?'}: ${hasFields(layer) ? argsName(className) : 'LayerArgs'}): ${result} => ${made};`;
    }),
    ...aliases.map(({ name, factory }) => `export const ${name} = ${factory};`),
    '',
  ].join('\n');
}

/**
 * Returns a docstring for a row such as "Its sum. @example {} of [[1]] and [[2]] gives [[3]]". Examples of layers with weights
 * dispose them.
 */
function said({ factory, fields, doc = '' }) {
  const [, text, arguments_, input, whole, result] = /^(.*?)(?: @example (?:(\S.*) of (\S.*)|(.*)) gives (.*))?$/.exec(
    doc,
  );
  if (whole) return docstring(text, `${whole}; // ${result}`);
  const tensors = input.split(' and ').map((values) => `tf.tensor(${values})`);
  const layer = `tf.layers.${factory}(${arguments_ === 'none' ? '' : arguments_})`;
  const apply = `.apply(${tensors.length > 1 ? `[${tensors.join(', ')}]` : tensors[0]}); // ${result}`;
  const hasWeights = fields.some(({ kind }) => kind === 'INITIALIZER');
  return docstring(text, hasWeights ? `const layer = ${layer};\nlayer${apply}\nlayer.dispose();` : layer + apply);
}

/** Returns the type of a factory's result. Layers without fields of their own, such as Add, have that of all layers. */
function resultOf(layer) {
  const { className } = layer;
  if (kWritten.includes(className)) return className;
  return ownFields(layer).length > 0 ? `classes.${className}` : baseOf(layer);
}

/** Returns the class in the sources that a class of layers derives from. */
function baseOf({ className, fields }) {
  if (className.endsWith('Cell')) return 'RNNCell';
  return fields.some(({ name }) => name === 'returnSequences') ? 'RNN' : 'Layer';
}

/** Returns the fields that a class adds to its base. An activation is an object whose class is not public. */
function ownFields({ fields }) {
  return fields.filter(
    ({ kind, name }) => !['KERAS_ONLY', 'INPUT', 'ACTIVATION'].includes(kind) && !kInherited.includes(name),
  );
}

/** Returns the types of the layers that factories create: their fields are the arguments, with the defaults. */
export function classesSource({ layers }) {
  const typed = layers.filter((layer) => layer.factory && resultOf(layer).startsWith('classes.'));
  const interfaces = typed.map((layer) => {
    const members = ownFields(layer).map((field) => {
      const sentence = textOf(layer, field).replace(' or one for all', '');
      return `  /** ${sentence}. */\n  readonly ${field.name}: ${valueType(field)};\n`;
    });
    const doc = `/** Layer that tf.layers.${layer.factory}() creates. Its fields cannot be changed. */`;
    return `${doc}\nexport interface ${layer.className} extends ${baseOf(layer)} {\n${members.join('')}}\n`;
  });
  return [
    '// Generated by web/generate.mjs from cpp/lists/layers.def. Do not edit.',
    "import type { Shape } from '../../runtime/types.js';",
    "import type { Constraint } from './constraints.js';",
    "import type { Initializer } from './initializers.js';",
    "import type { Layer } from './layer.js';",
    "import type { RNN } from './recurrent.js';",
    "import type { RNNCell } from './recurrent_cells.js';",
    "import type { Regularizer } from './regularizers.js';",
    '',
    ...interfaces,
  ].join('\n');
}

function valueType({ kind, name, initial }) {
  const type = kValueTypes[kind] ?? argumentType(kind, name);
  if (initial === 'null') return `${type} | null`;
  return initial === 'none' && !type.endsWith('| null') ? `${type} | undefined` : type;
}

const hasFields = ({ fields }) => fields.some(({ kind }) => kind !== 'KERAS_ONLY');
const argsName = (className) => `${className}LayerArgs`;

function argsSource(layer) {
  const { className, factory, fields } = layer;
  const taken = fields.filter(({ kind }) => kind !== 'KERAS_ONLY');
  // TensorFlow.js also accepts the input's shape here, and reads as little of it.
  if (baseOf(layer) === 'RNN') {
    taken.push(
      { kind: 'INT', name: 'inputDim', initial: 'none' },
      { kind: 'INT', name: 'inputLength', initial: 'none' },
    );
  }
  const members = taken.map((field) => {
    const { kind, name, initial } = field;
    const type = argumentType(kind, name);
    return `  /** ${sentenceOf(layer, field)} */\n  ${name}${initial === undefined ? '' : '?'}: ${type};\n`;
  });
  return `/** Arguments of tf.layers.${factory}(). */\nexport interface ${argsName(className)} extends LayerArgs {\n${members.join('')}}\n`;
}

function argumentType(kind, name) {
  return (kind === 'INT' ? undefined : kFieldTypes[name]) ?? kTypes[kind];
}

/** Returns the sentence of a field, without its full stop. Throws if the list has none. */
function textOf({ className, sentences }, { name }) {
  const text = sentences[name];
  if (!text) throw new Error(`cpp/lists/layers.def: field ${name} of ${className} needs a line \`/// @param\``);
  return text;
}

/** Returns the sentence of a field with its default, "Number of copies; 1 by default." */
function sentenceOf(layer, { name, kind, initial }) {
  const { fields } = layer;
  const text = textOf(layer, { name });
  if (initial === undefined || initial === 'none' || initial === 'null') return `${text}.`;
  const isLiteral = /^(-?[\d.]+|true|false)$/.test(initial);
  const isField = fields.some((field) => field.name === initial) && kind === 'SIZES';
  const value = isLiteral ? initial : isField ? `\`${initial}\`` : `'${initial}'`;
  const [sentence, ...rest] = text.split('. ');
  return [`${sentence}; ${value} by default`, ...rest].join('. ') + '.';
}

function camel(name) {
  return name.replace(/_([a-z0-9])/g, (_, c) => c.toUpperCase());
}
