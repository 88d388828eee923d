// Indexes where a file reads and writes names and fields, in source order, so that rules need not walk the tree for each.
import { nearest } from './ancestors.js';
import { isFunction, nameIn } from './nodes.js';

const kTests = /^(IfStatement|ConditionalExpression|LogicalExpression|SwitchStatement)$/;
const kParts = /^(ArrayExpression|ObjectExpression|Property|SpreadElement|TSNonNullExpression|TSAsExpression)$/;

/** Returns the innermost condition that a node is part of, or undefined. */
const conditionAround = nearest((node) => {
  const { parent } = node;
  const isCondition = parent && kTests.test(parent.type) && [parent.test, parent.left, parent.discriminant].includes(node);
  return isCondition ? node : undefined;
});

/** Returns the path of a name or field, `state`, `this.state` or `agent.state`; undefined if it is computed. */
export function keyOf(node) {
  const isName = node.type === 'Identifier' && (node.parent.type !== 'MemberExpression' || node.parent.object === node);
  if (isName) return node.name;
  if (node.type !== 'MemberExpression' || node.computed) return undefined;
  const object = node.object.type === 'ThisExpression' ? 'this' : keyOf(node.object);
  return object && `${object}.${nameIn(node.property)}`;
}

/** The nodes that name one name or field, to be asked for those within a piece of code. */
class Mentions {
  #nodes = [];
  #isSorted = true;
  #released;

  add(node) {
    this.#isSorted &&= this.#nodes.length === 0 || this.#nodes.at(-1).range[0] <= node.range[0];
    this.#nodes.push(node);
  }

  /** True if a node contains a mention. */
  areIn(node) {
    return isAnyIn(this.#sorted(), node);
  }

  /**
   * True if a mention within a function, or within the program, disposes the tensor, passes it on, or tests whether it exists.
   */
  areReleasedIn(outside, tensors) {
    this.#released ??= this.#releases(tensors);
    const { always, conditions } = this.#released;
    return isAnyIn(always, outside) || isAnyIn(conditions, outside);
  }

  #sorted() {
    if (!this.#isSorted) this.#nodes.sort(byPosition);
    this.#isSorted = true;
    return this.#nodes;
  }

  #releases(tensors) {
    const always = [];
    const conditions = [];
    for (const node of this.#sorted()) {
      const { parent } = node;
      if (parent.type === 'MemberExpression' && parent.object === node) {
        if (parent.property.name === 'dispose') always.push(node);
      } else if (/^(VariableDeclarator|AssignmentExpression)$/.test(parent.type)) {
        if ((parent.init ?? parent.right) === node) always.push(node);
      } else if (isHandedOn(node, tensors)) always.push(node);
      else if (conditionAround(node)) conditions.push(conditionAround(node));
    }
    return { always, conditions: conditions.sort(byPosition) };
  }
}

/** Collects the mentions of a file by their keys. A rule returns its `listeners`. */
export function mentionsByKey() {
  const found = new Map();
  const note = (node) => {
    const key = keyOf(node);
    if (key === undefined) return;
    if (!found.has(key)) found.set(key, new Mentions());
    found.get(key).add(node);
  };
  const none = new Mentions();
  return { of: (key) => found.get(key) ?? none, listeners: { Identifier: note, MemberExpression: note } };
}

const byPosition = (a, b) => a.range[0] - b.range[0];

/** True if one of `nodes`, which are in source order, lies within `outside`. */
function isAnyIn(nodes, outside) {
  const [start, end] = outside.range;
  let low = 0;
  for (let high = nodes.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (nodes[middle].range[0] < start) low = middle + 1;
    else high = middle;
  }
  // An immediately invoked function begins where the condition around its call begins.
  for (; low < nodes.length && nodes[low].range[0] < end; low++) {
    if (nodes[low].range[1] <= end && !(isFunction(outside) && nodes[low] === outside)) return true;
  }
  return false;
}

function isHandedOn(node, tensors) {
  let at = node;
  while (kParts.test(at.parent.type)) at = at.parent;
  const { parent } = at;
  if (/^(ReturnStatement|YieldExpression|NewExpression|ForOfStatement)$/.test(parent.type)) return true;
  return parent.type === 'CallExpression' && parent.arguments.includes(at) && !tensors.isOp(parent);
}
