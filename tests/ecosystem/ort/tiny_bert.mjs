// BERTs of two layers with random weights, in the files that @huggingface/transformers loads.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onnxModel } from '../../bench/onnx.mjs';

const kWords = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  '[MASK]',
  'the',
  'quick',
  'brown',
  'fox',
  'jump',
  '##s',
  '##ed',
  'over',
  'a',
  'lazy',
  'dog',
];
const kHidden = 32;
const kHeads = 4;
const kInner = 64;
const kPositions = 64;
const kLayers = 2;

/** Labels by class, and whether they are of the first embedding or of each. */
const kHeadsByClass = {
  BertModel: undefined,
  BertForSequenceClassification: { labels: ['bad', 'good', 'neither'], ofFirst: true },
  BertForTokenClassification: { labels: ['O', 'B-ANIMAL', 'B-ACT', 'B-OTHER'], ofFirst: false },
};

/** Writes the model, a class of transformers, and its tokenizer into a folder. */
export function writeTinyBert(folder, architecture = 'BertModel') {
  const head = kHeadsByClass[architecture];
  mkdirSync(path.join(folder, 'onnx'), { recursive: true });
  const json = (name, value) => writeFileSync(path.join(folder, name), JSON.stringify(value));
  json('config.json', {
    model_type: 'bert',
    architectures: [architecture],
    hidden_size: kHidden,
    ...(head && { id2label: Object.fromEntries(head.labels.entries()) }),
  });
  const special = {
    pad_token: '[PAD]',
    unk_token: '[UNK]',
    cls_token: '[CLS]',
    sep_token: '[SEP]',
    mask_token: '[MASK]',
  };
  json('tokenizer_config.json', { tokenizer_class: 'BertTokenizer', model_max_length: kPositions, ...special });
  json('tokenizer.json', tokenizer());
  writeFileSync(path.join(folder, 'onnx/model.onnx'), bert(head));
}

function tokenizer() {
  const special = kWords.slice(0, 5);
  const flags = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: true };
  const id = (token) => kWords.indexOf(token);
  const part = (token) => ({ SpecialToken: { id: token, type_id: 0 } });
  return {
    version: '1.0',
    added_tokens: special.map((content) => ({ id: id(content), content, ...flags })),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [part('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, part('[SEP]')],
      pair: [
        part('[CLS]'),
        { Sequence: { id: 'A', type_id: 0 } },
        part('[SEP]'),
        { Sequence: { id: 'B', type_id: 1 } },
      ],
      special_tokens: Object.fromEntries(
        ['[CLS]', '[SEP]'].map((token) => [token, { id: token, ids: [id(token)], tokens: [token] }]),
      ),
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(kWords.map((word, i) => [word, i])),
    },
  };
}

function bert(head) {
  const nodes = [];
  const constants = {};
  const random = randomFloats();
  const weight = (name, shape, scale = 0.3) => {
    const length = shape.reduce((size, extent) => size * extent, 1);
    constants[name] = { values: Float32Array.from({ length }, () => scale * random()), shape };
    return name;
  };
  const integers = (name, values, shape = [values.length]) => {
    constants[name] = { values, shape };
    return name;
  };
  const number = (name, value) => {
    constants[name] = { values: Float32Array.of(value), shape: [] };
    return name;
  };
  const add = (op, inputs, attributes = {}) => {
    const output = `${op}_${nodes.length}`;
    nodes.push({ op, inputs, outputs: [output], attributes });
    return output;
  };
  const dense = (name, x, from, to) =>
    add('Add', [add('MatMul', [x, weight(`${name}.weight`, [from, to])]), weight(`${name}.bias`, [to])]);
  const normalize = (name, x) =>
    add('LayerNormalization', [x, weight(`${name}.scale`, [kHidden], 1), weight(`${name}.bias`, [kHidden])], {
      axis: -1,
      epsilon: { float: 1e-6 },
    });

  integers('one', [1]);
  integers('zero', [0]);
  const length = add('Slice', [add('Shape', ['input_ids']), 'one', integers('two', [2])]);
  const positions = add('Slice', [
    integers('positions', [...Array(kPositions).keys()], [1, kPositions]),
    'zero',
    length,
    'one',
  ]);
  const embed = (name, rows, ids) => add('Gather', [weight(name, [rows, kHidden], 1), ids]);
  const embedded = [
    embed('words', kWords.length, 'input_ids'),
    embed('types', 2, 'token_type_ids'),
    embed('places', kPositions, positions),
  ].reduce((a, b) => add('Add', [a, b]));
  const mask = add('Cast', [add('Unsqueeze', ['attention_mask', integers('mask_axes', [1, 2])])], { to: 1 });
  const hidden = add('Mul', [add('Sub', [number('unit', 1), mask]), number('lowest', -3.4028234663852886e38)]);

  let x = normalize('embeddings', embedded);
  integers('heads', [0, 0, kHeads, kHidden / kHeads]);
  integers('merged', [0, 0, kHidden]);
  for (let layer = 0; layer < kLayers; layer++) {
    const name = (part) => `layer.${layer}.${part}`;
    const split = (part, perm) =>
      add('Transpose', [add('Reshape', [dense(name(part), x, kHidden, kHidden), 'heads'])], { perm });
    const [query, key, value] = [
      split('query', [0, 2, 1, 3]),
      split('key', [0, 2, 3, 1]),
      split('value', [0, 2, 1, 3]),
    ];
    const root = number(name('root'), Math.sqrt(kHidden / kHeads));
    const scores = add('Add', [add('Div', [add('MatMul', [query, key]), root]), hidden]);
    const mixed = add('MatMul', [add('Softmax', [scores], { axis: -1 }), value]);
    const merged = add('Reshape', [add('Transpose', [mixed], { perm: [0, 2, 1, 3] }), 'merged']);
    const attended = normalize(name('attention'), add('Add', [dense(name('output'), merged, kHidden, kHidden), x]));
    const inner = dense(name('inner'), attended, kHidden, kInner);
    const erf = add('Erf', [add('Div', [inner, number(name('sqrt2'), Math.SQRT2)])]);
    const gelu = add('Mul', [add('Mul', [inner, add('Add', [erf, 'unit'])]), number(name('half'), 0.5)]);
    x = normalize(name('normalized'), add('Add', [dense(name('outer'), gelu, kInner, kHidden), attended]));
  }
  let output = { name: 'last_hidden_state', shape: ['batch_size', 'sequence_length', kHidden] };
  if (head) {
    const { labels, ofFirst } = head;
    x = dense(
      'head',
      ofFirst ? add('Gather', [x, integers('first', [0], [])], { axis: 1 }) : x,
      kHidden,
      labels.length,
    );
    output = { name: 'logits', shape: ['batch_size', ...(ofFirst ? [] : ['sequence_length']), labels.length] };
  }
  nodes.push({ op: 'Identity', inputs: [x], outputs: [output.name] });
  const input = (name) => ({ name, type: 'int64', shape: ['batch_size', 'sequence_length'] });
  return onnxModel({
    nodes,
    constants,
    inputs: ['input_ids', 'attention_mask', 'token_type_ids'].map(input),
    outputs: [output],
  });
}

/** Returns a generator of the same numbers between -1 and 1 in every run. */
function randomFloats() {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}
