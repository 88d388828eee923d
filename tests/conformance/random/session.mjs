// Makes calls on both libraries, one after the other, and compares them. Runs in Node and in pages.
import { magnitudeOf, makeCall } from './calls.mjs';
import { difference } from './compare.mjs';
import { candidates } from './differences.mjs';
import { play } from './play.mjs';

/** TensorFlow.js never returns from windows that do not move. */
const kEndless = /strides must be positive, got 0|'strides' must be an integer of 32 bits/;

export class Session {
  /** `ours` and `theirs` are the two libraries; `where` names Tenure's backend, for rules of one backend. */
  constructor(ours, theirs, where = 'wasm') {
    this.ours = ours;
    this.theirs = theirs;
    this.where = where;
    this.methods = new Set(
      Object.getOwnPropertyNames(ours.Tensor.prototype).filter((name) => name in theirs.Tensor.prototype),
    );
    /** The number of times that each known difference occurred. */
    this.met = new Map();
    this.thrown = 0;
  }

  /** Makes the call at a position; returns {call, kind, words} if the libraries differ and no rule allows it. */
  async run(seed, place) {
    const call = makeCall(seed, place, this.methods);
    const ours = await play(this.ours, call);
    if (kEndless.test(ours.error?.message)) return undefined;
    const theirs = await this.#theirs(call);
    if (ours.unmade && theirs.unmade) throw new Error(`${call} cannot be made`, { cause: ours.error });
    if (ours.error && theirs.error) this.thrown++;
    const found = await this.#difference(call, ours, theirs);
    if (!found || (await this.#isKnown(call, ours, theirs, found))) return undefined;
    return { call, words: found.words, kind: found.kind };
  }

  /** True if rules allow the difference; the call compared instead may differ by another rule. */
  async #isKnown(call, ours, theirs, found, used = []) {
    for (const rule of candidates({ call, where: this.where, ours, theirs, ...found })) {
      if (used.includes(rule) || !(await this.#allows(rule, call, ours, theirs, used))) continue;
      this.met.set(rule.name, (this.met.get(rule.name) ?? 0) + 1);
      return true;
    }
    return false;
  }

  #difference(call, ours, theirs) {
    return difference(ours, theirs, call.tolerance, () => this.#theirs(magnitudeOf(call)));
  }

  async #allows(rule, call, ours, theirs, used) {
    if (rule.check) return rule.check({ call, ours, theirs });
    if (!rule.instead) return true;
    const other = call.with(rule.instead(call));
    const changed = await this.#theirs(other);
    const found = await this.#difference(other, ours, changed);
    return !found || this.#isKnown(other, ours, changed, found, [...used, rule]);
  }

  /** Makes the call in TensorFlow.js, in a scope that frees what it leaks when it throws. */
  async #theirs(call) {
    this.theirs.engine().startScope();
    try {
      return await play(this.theirs, call);
    } finally {
      this.theirs.engine().endScope();
    }
  }
}

/**
 * Makes the calls from one position to another; returns those that differ without a rule, and the known differences that
 * occurred.
 */
export async function playAll(ours, theirs, where, seed, first, end) {
  const session = new Session(ours, theirs, where);
  const found = [];
  for (let place = first; place < end; place++) {
    const one = await session.run(seed, place);
    if (one) found.push({ place, words: one.words, call: String(one.call) });
  }
  return { found, thrown: session.thrown, met: [...session.met] };
}
