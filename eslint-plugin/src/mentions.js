// Indexes where a file reads and writes names and fields, in source order, so that rules need not walk the tree for each.
import { nearest } from './ancestors.js';
import { isFunction, nameIn, nameOf } from './nodes.js';

const kTests = /^(IfStatement|ConditionalExpression|LogicalExpression|SwitchStatement)$/;
const kParts = /^(ArrayExpression|ObjectExpression|Property|SpreadElement|TSNonNullExpression|TSAsExpression)$/;

/** Returns the innermost condition that a node is part of, or undefined. */
const conditionAround = nearest((node) => {
  const { parent } = node;
  const isCondition =
    parent && kTests.test(parent.type) && [parent.test, parent.left, parent.discriminant].includes(node);
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
  #key;
  #actions;
  #nodes = [];
  #isSorted = true;
  #released;

  /** `actions` returns the nodes of the file that jump, or call what may dispose, in the order of the text. */
  constructor(key, actions) {
    this.#key = key;
    this.#actions = actions;
  }

  add(node) {
    this.#isSorted &&= this.#nodes.length === 0 || this.#nodes.at(-1).range[0] <= node.range[0];
    this.#nodes.push(node);
  }

  /** True if a node contains a mention. */
  areIn(node) {
    return isAnyIn(this.#sorted(), node);
  }

  /** True if one between two positions disposes what is there or hands it on. */
  areReleasedBetween(start, end, tensors) {
    return isAnyBetween(this.#releases(tensors).always, start, end);
  }

  /** True if one within a function, or the program, disposes what is there or hands it on. */
  areReleasedIn(outside, tensors) {
    return isAnyIn(this.#releases(tensors).always, outside);
  }

  /** True if conditions within `outside` make sure that a node only runs where there is nothing, or may be meant to. */
  areEmptyAt(node, outside, tensors) {
    const { vague, guards, emptyBranches } = this.#releases(tensors);
    if (isAnyIn(vague, outside)) return true;
    if (isAnyBetween(guards, outside.range[0], node.range[0])) return true;
    // Branches nest: those around the node are the last one that begins before it, and the ones around that.
    let branch = emptyBranches[firstFrom(emptyBranches, node.range[0] + 1) - 1];
    while (branch && branch.range[0] >= outside.range[0]) {
      if (branch.range[1] >= node.range[1]) return true;
      branch = branch.around;
    }
    return false;
  }

  /** Returns the names of the functions and methods in which one disposes what is there or hands it on, as `clear`, `this.clear`. */
  releasingFunctions(tensors) {
    const released = this.#releases(tensors);
    released.functions ??= new Set(released.always.map((node) => functionNameAround(node)).filter(Boolean));
    return released.functions;
  }

  #sorted() {
    if (!this.#isSorted) this.#nodes.sort(byPosition);
    this.#isSorted = true;
    return this.#nodes;
  }

  #releases(tensors) {
    if (this.#released) return this.#released;
    const always = [];
    const conditions = new Set();
    for (const node of this.#sorted()) {
      const { parent } = node;
      if (parent.type === 'MemberExpression' && parent.object === node) {
        if (parent.property.name === 'dispose') always.push(node);
      } else if (/^(VariableDeclarator|AssignmentExpression)$/.test(parent.type)) {
        if ((parent.init ?? parent.right) === node) always.push(node);
      } else if (isHandedOn(node, tensors)) always.push(node);
      else if (conditionAround(node)) conditions.add(wholeCondition(conditionAround(node)));
    }
    this.#released = { always, ...this.#sort([...conditions].sort(byPosition), tensors) };
    return this.#released;
  }

  /** Sorts conditions by what they say about the node of an assignment. */
  #sort(conditions, tensors) {
    const vague = [];
    const guards = [];
    const emptyBranches = [];
    for (const condition of conditions) {
      const states = statesBy(condition, this.#key);
      const branches = branchesOf(condition);
      if (!branches || (!states.whenTrue && !states.whenFalse)) {
        vague.push(condition);
        continue;
      }
      for (const [branch, state] of [
        [branches.whenTrue, states.whenTrue],
        [branches.whenFalse, states.whenFalse],
      ]) {
        if (!branch) continue;
        if (state !== 'full') emptyBranches.push({ range: branch.range });
        // It returns where there is something, or calls what may dispose that.
        else if (isAnyIn(this.#actions(tensors), branch)) guards.push({ range: [branch.range[1], branch.range[1]] });
      }
    }
    emptyBranches.sort(byPosition);
    const open = [];
    for (const branch of emptyBranches) {
      while (open.length > 0 && open.at(-1).range[1] < branch.range[1]) open.pop();
      branch.around = open.at(-1);
      open.push(branch);
    }
    return { vague, guards: guards.sort(byPosition), emptyBranches };
  }
}

/** Returns the test of the statement that a condition is part of: all of `a && !x`. */
function wholeCondition(condition) {
  let top = condition.parent;
  if (top.type !== 'LogicalExpression') return condition;
  while (top.parent.type === 'LogicalExpression' || top.parent.type === 'UnaryExpression') top = top.parent;
  return /^(IfStatement|ConditionalExpression)$/.test(top.parent.type) && top.parent.test === top ? top : condition;
}

/** Returns the code that runs where a condition holds, and where it does not; undefined for that of a switch. */
function branchesOf(condition) {
  const { parent } = condition;
  if (/^(IfStatement|ConditionalExpression)$/.test(parent.type))
    return { whenTrue: parent.consequent, whenFalse: parent.alternate };
  if (parent.type !== 'LogicalExpression') return undefined;
  return parent.operator === '&&' ? { whenTrue: parent.right } : { whenFalse: parent.right };
}

/** Returns whether there is something, 'full', or nothing, 'empty', in what a key names where a test holds and where it does not. */
function statesBy(test, key) {
  if (test.type === 'UnaryExpression' && test.operator === '!') {
    const { whenTrue, whenFalse } = statesBy(test.argument, key);
    return { whenTrue: whenFalse, whenFalse: whenTrue };
  }
  if (test.type === 'LogicalExpression' && test.operator !== '??') {
    const sides = [statesBy(test.left, key), statesBy(test.right, key)];
    if (test.operator === '&&') return { whenTrue: sides[0].whenTrue ?? sides[1].whenTrue };
    return { whenFalse: sides[0].whenFalse ?? sides[1].whenFalse };
  }
  if (test.type === 'BinaryExpression' && /^[!=]==?$/.test(test.operator)) {
    const isCompared =
      [test.left, test.right].some((side) => namesKey(side, key)) && [test.left, test.right].some(isNothing);
    if (!isCompared) return {};
    return test.operator.startsWith('!')
      ? { whenTrue: 'full', whenFalse: 'empty' }
      : { whenTrue: 'empty', whenFalse: 'full' };
  }
  return namesKey(test, key) ? { whenTrue: 'full', whenFalse: 'empty' } : {};
}

const namesKey = (node, key) => /^(Identifier|MemberExpression)$/.test(node.type) && keyOf(node) === key;
const isNothing = (node) =>
  (node.type === 'Literal' && node.raw === 'null') || (node.type === 'Identifier' && node.name === 'undefined');

const functionNameAround = nearest((node) => {
  if (node.type === 'FunctionDeclaration') return node.id?.name;
  if (node.type === 'MethodDefinition') return node.kind === 'constructor' ? undefined : `this.${nameIn(node.key)}`;
  if (isFunction(node) && node.parent.type === 'VariableDeclarator') return node.parent.id.name;
  return isFunction(node) && node.parent.type === 'PropertyDefinition' ? `this.${nameIn(node.parent.key)}` : undefined;
});

/** Collects the mentions of a file by their keys; `listeners` are for the rule to return. */
export function mentionsByKey() {
  const found = new Map();
  const jumpsAndCalls = [];
  let chosen;
  const actions = (tensors) => (chosen ??= jumpsAndCalls.filter((node) => mayRelease(node, tensors)).sort(byPosition));
  const note = (node) => {
    const key = keyOf(node);
    if (key === undefined) return;
    if (!found.has(key)) found.set(key, new Mentions(key, actions));
    found.get(key).add(node);
  };
  const act = (node) => void jumpsAndCalls.push(node);
  const none = new Mentions();
  const jumps = { ReturnStatement: act, ThrowStatement: act, BreakStatement: act, ContinueStatement: act };
  return {
    of: (key) => found.get(key) ?? none,
    listeners: { Identifier: note, MemberExpression: note, CallExpression: act, ...jumps },
  };
}

const byPosition = (a, b) => a.range[0] - b.range[0];

/** True if one of `nodes`, which are in source order, lies within `outside`. */
function isAnyIn(nodes, outside) {
  const [start, end] = outside.range;
  let low = firstFrom(nodes, start);
  // A function that is called at once begins where the condition begins that its call is.
  for (; low < nodes.length && nodes[low].range[0] < end; low++) {
    if (nodes[low].range[1] <= end && !(isFunction(outside) && nodes[low] === outside)) return true;
  }
  return false;
}

/** True if a node is a jump, a dispose, or a call of a function that is not the library's. */
function mayRelease(node, tensors) {
  return node.type !== 'CallExpression' || nameOf(node.callee)?.name === 'dispose' || !tensors.isOfLibrary(node.callee);
}

/** True if one of the nodes, which are in the order of the text, begins between two positions. */
function isAnyBetween(nodes, start, end) {
  const first = nodes[firstFrom(nodes, start)];
  return first !== undefined && first.range[0] <= end;
}

/** Returns the index of the first node that begins at a position or behind it. */
function firstFrom(nodes, start) {
  let low = 0;
  for (let high = nodes.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (nodes[middle].range[0] < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isHandedOn(node, tensors) {
  let at = node;
  while (kParts.test(at.parent.type)) at = at.parent;
  const { parent } = at;
  if (/^(ReturnStatement|YieldExpression|NewExpression|ForOfStatement)$/.test(parent.type)) return true;
  return parent.type === 'CallExpression' && parent.arguments.includes(at) && !tensors.isOp(parent);
}
