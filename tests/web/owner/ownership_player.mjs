// Runs a random program on the engine and on the model in parallel, and compares them after each statement.
import { counts } from '../common.mjs';
import { assert, tf } from '../expect.mjs';
import { Model, kCapped, kClosed, kDisposed, kRetained, kNoManual, kNoWay } from './ownership_model.mjs';

const kThrown = new Error('thrown by the program');

/** Functions from x to a number, by the way in which they compute it. */
const kForms = {
  ops: (x, other) => x.mul(x).mul(x).sum().add(other.exp().mean()),
  custom: (x, other) =>
    tf
      .customGrad((given, save) => {
        save([given]);
        return { value: given.square().sum(), gradFunc: (dy, [saved]) => saved.mul(dy) };
      })(x)
      .add(other.sum()),
  throwBack: (x, other) =>
    tf.customGrad((given, save) => {
      save([given, other]);
      return {
        value: given.square().sum(),
        gradFunc: () => {
          throw kThrown;
        },
      };
    })(x),
  apart: () => tf.ones([2]).sum(),
};

export class Player {
  #model = new Model();
  #tensors = []; // as they are in the model
  #scopes = []; // as they are in the model, undefined if the engine made the scope itself
  #list = new tf.TensorList();
  #variables = [];
  #start = counts(tf);
  #opener = {}; // the task or the run() that has to end each scope of startScope()
  #gradients = 0; // how many are being computed
  #busy = false;
  #waiting = [];

  /** Runs statements without awaits. */
  play(statements) {
    for (const [kind, ...numbers] of statements) {
      this.#model.follow();
      this[kind](...numbers);
      this.#compare(kind);
    }
  }
  /** Runs tasks concurrently: after each statement, another task may run. */
  async playTogether(tasks) {
    const { place } = this.#model;
    const opener = this.#opener;
    const goBack = () => {
      this.#model.place = place;
      this.#opener = opener;
    };
    const play = async (task) => {
      await this.#takeTurn();
      try {
        goBack();
        await this.#playInScope(task);
      } finally {
        this.#endTurn();
      }
    };
    await Promise.all(tasks.map(play));
    goBack();
    this.#model.follow();
    this.#compare('the end of tasks');
  }
  async #playInScope({ statements, results, throws }) {
    const model = this.#model;
    const outside = model.place;
    const opener = this.#opener;
    model.follow();
    const scope = Object.assign(model.open(model.current), { lasts: true });
    const at = this.#scopes.push(undefined) - 1;
    let place = { scope, outer: model.here() };
    const turn = () => {
      model.place = place;
      this.#opener = scope;
      model.follow();
    };
    let returned;
    const body = async (own) => {
      this.#scopes[at] = own;
      turn();
      for (const statement of statements) {
        if (statement.statements) await this.#playInScope(statement);
        else this.play([statement]);
        place = model.place;
        this.#endTurn();
        await this.#takeTurn();
        turn();
      }
      this.#endOpened();
      if (throws) throw kThrown;
      returned = this.#pick(results);
      return returned.map((i) => this.#tensors[i]);
    };
    let error;
    try {
      await tf.scopeAsync(body);
    } catch (caught) {
      if (caught instanceof assert.AssertionError) throw caught;
      error = caught;
    }
    let reason;
    if (!throws && scope.open) {
      const handed = returned.map((i) => model.tensors[i]);
      reason = handed.some((x) => !x.alive) ? kDisposed : model.passOut(handed, scope);
    }
    model.close(scope);
    if (throws) assert.equal(error, kThrown);
    else this.#assertReason(error, reason);
    model.place = outside;
    this.#opener = opener;
    model.follow();
    this.#compare('scopeAsync');
  }
  async #takeTurn() {
    if (this.#busy) await new Promise((resolve) => this.#waiting.push(resolve));
    this.#busy = true;
  }
  #endTurn() {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#busy = false;
  }

  make(size) {
    this.#expect(
      this.#model.refusal(),
      () => tf.ones([size + 1]),
      () => this.#model.add(size + 1),
    );
  }
  neg(i) {
    this.#with(
      [i],
      ([x]) => [this.#model.refusal(), () => this.#model.add(x.size)],
      ([x]) => x.neg(),
    );
  }
  addNumber(i) {
    // The number becomes a tensor before the other operand is checked.
    if (this.#model.refusal() && this.#tensors.length > 0) this.#expect(kCapped, () => this.#tensors[0].add(1));
    else
      this.#with(
        [i],
        ([x]) => [undefined, () => this.#model.add(x.size)],
        ([x]) => x.add(1),
      );
  }
  clone(i) {
    this.#with(
      [i],
      ([x]) => [this.#model.refusal(), () => this.#model.add(x.size, x.buffer)],
      ([x]) => x.clone(),
    );
  }
  reshape(i) {
    const shared = ([x]) => [this.#model.refusal(), () => this.#model.add(x.size, x.buffer)];
    this.#with([i], shared, ([x]) => x.reshape([-1]));
  }
  addTwo(i, j) {
    const expected = ([x, y]) => {
      const fits = x.size === y.size || x.size === 1 || y.size === 1;
      return [fits ? this.#model.refusal() : 'shapes', () => this.#model.add(Math.max(x.size, y.size))];
    };
    this.#with([i, j], expected, ([x, y]) => x.add(y));
  }
  split(i) {
    const expected = ([x]) => [this.#model.refusal(), () => Array.from({ length: x.size }, () => this.#model.add(1))];
    this.#with(
      [i],
      expected,
      ([x]) => tf.split(x, x.size),
      ([x]) => x.size > 1,
    );
  }
  dispose(i) {
    if (this.#tensors.length === 0) return;
    i %= this.#tensors.length;
    this.#tensors[i].dispose();
    this.#model.tensors[i].alive = false;
  }
  keep(i) {
    this.#with(
      [i],
      ([x]) => [undefined, () => this.#model.keep(x)],
      ([x]) => void tf.keep([x]),
    );
  }
  hold(i) {
    const expected = ([x]) => [undefined, () => this.#adopt(x)];
    this.#with([i], expected, ([x]) => {
      this.#list.push(x);
      return this.#list.at(-1) === x ? undefined : this.#list.at(-1);
    });
  }
  variable(i) {
    const expected = ([x]) => [undefined, () => this.#model.add(x.size, x.buffer, kRetained)];
    this.#with([i], expected, ([x]) => {
      const made = tf.variable(x);
      this.#variables.push(made);
      return made;
    });
  }
  clearList() {
    this.#list.clear();
    for (const x of this.#model.list.splice(0)) x.alive = false;
  }

  tidy(statements, results, throws) {
    const model = this.#model;
    const parent = model.current;
    const scope = model.open(parent);
    this.#scopes.push(undefined);
    let reason;
    const run = () =>
      tf.tidy(() => {
        model.current = scope;
        model.frames++;
        this.play(statements);
        if (throws) throw kThrown;
        const picked = this.#pick(results);
        if (scope.open)
          reason = model.moveUp(
            picked.map((i) => model.tensors[i]),
            scope,
            parent,
          );
        return new Set(picked.map((i) => this.#tensors[i]));
      });
    const { frames } = model;
    const error = errorOf(run);
    model.frames = frames;
    model.close(scope);
    if (throws) assert.equal(error, kThrown);
    else this.#assertReason(error, reason);
  }
  /** Computes the gradient for x of a function that runs statements, and then maps x and another tensor to a number. */
  gradient(i, j, form, statements) {
    const model = this.#model;
    const picked = this.#pick([i, j]);
    if (picked.length === 0) return;
    const [x, other] = picked.map((at) => model.tensors[at]);
    const [real, realOther] = picked.map((at) => this.#tensors[at]);
    if (!x.alive) return this.#expect(kDisposed, () => tf.grad((given) => given.sum())(real));
    const parent = model.current;
    const scope = model.open(parent);
    this.#scopes.push(undefined);
    const { frames } = model;
    let reason;
    const f = (given) => {
      model.current = scope;
      model.frames++;
      this.play(statements);
      if (form === 'throw') throw (reason = kThrown);
      const needed = form === 'apart' ? [] : [x, other];
      reason = needed.some(({ alive }) => !alive) ? kDisposed : model.refusal();
      if (form === 'custom' && x.alive) model.saved.push({ ...x });
      if (form === 'throwBack' && reason !== kDisposed) model.saved.push({ ...x }, { ...other });
      const value = tf.tidy(() => kForms[form](given, realOther));
      model.add(1);
      this.#tensors.push(value);
      if (form === 'apart') reason = kNoWay;
      if (form === 'throwBack') reason = kThrown;
      return value;
    };
    this.#gradients++;
    let made;
    const error = errorOf(() => (made = tf.grad(f)(real)));
    this.#gradients--;
    model.frames = frames;
    const gradient = { size: x.size, buffer: {}, owner: model.current, alive: true };
    if (!reason && scope.open) reason = model.moveUp([gradient], scope, parent);
    this.#assertReason(error, reason);
    if (made) {
      model.tensors.push(gradient);
      this.#tensors.push(made);
    }
    model.close(scope);
    if (this.#gradients > 0) return;
    model.saved = [];
    assert.equal(tf.memory().detail.tape, 0, 'a tape keeps tensors');
  }
  scope() {
    this.#scopes.push(tf.scope());
    this.#model.open(this.#model.current);
  }
  child(s) {
    this.#inScope(
      s,
      (scope) => [undefined, () => this.#model.open(scope)],
      (scope) => void this.#scopes.push(scope.child()),
    );
  }
  run(s, statements, throws) {
    const model = this.#model;
    this.#inScope(
      s,
      () => [throws ? kThrown : undefined, () => {}],
      (scope, modelled) => {
        const { current, frames, place } = model;
        try {
          scope.run(() => {
            model.current = modelled;
            model.frames++;
            const outside = this.#opener;
            this.#opener = {};
            this.play(statements);
            this.#endOpened();
            this.#opener = outside;
            if (throws) throw kThrown;
          });
        } finally {
          Object.assign(model, { frames, place });
          model.leave(current);
        }
      },
    );
  }
  close(s) {
    const at = this.#scopeAt(s);
    if (at === undefined) return;
    this.#scopes[at].close();
    this.#model.close(this.#model.scopes[at]);
  }
  cap(s) {
    this.#inScope(
      s,
      (scope) => [undefined, () => (scope.capped = true)],
      (scope) => scope.cap(),
    );
  }
  startScope() {
    tf.engine().startScope();
    this.#model.startScope(this.#opener);
    this.#scopes.push(undefined);
  }
  endScope(results) {
    const model = this.#model;
    const picked = this.#pick(results);
    const isManual = model.current.isManual;
    const reason = isManual ? model.endScope(picked.map((i) => model.tensors[i])) : kNoManual;
    this.#assertReason(
      errorOf(() => tf.engine().endScope(picked.map((i) => this.#tensors[i]))),
      reason,
    );
  }
  /** Ends scopes like a program that must not leave scopes open if nothing around them closes. */
  #endOpened() {
    while (this.#model.current.opener === this.#opener) {
      this.endScope([]);
      this.#model.follow();
    }
  }
  attach(s, i) {
    this.#withScope(
      s,
      i,
      (scope, x) => this.#model.attach(x, scope),
      (scope, x) => void scope.attach(x),
    );
  }
  detach(s, i) {
    this.#withScope(
      s,
      i,
      (_, x) => this.#model.keep(x),
      (scope, x) => void scope.detach([x]),
    );
  }
  ret(s, i) {
    this.#withScope(
      s,
      i,
      (scope, x) => this.#model.passOut([x], scope),
      (scope, x) => void scope.ret({ x }),
    );
  }
  borrow(s, i) {
    const lend = (scope, x) => (scope.capped ? kCapped : void this.#model.borrow(x, scope));
    this.#withScope(s, i, lend, (scope, x) => scope.borrow(x));
  }

  /** Disposes everything that is left, and checks that nothing else was alive. */
  end() {
    this.#model.follow();
    this.#endOpened();
    for (const scope of this.#scopes) scope?.close();
    this.#list.dispose();
    tf.dispose([this.#variables, this.#tensors]);
    assert.deepEqual(counts(tf), this.#start);
  }

  #adopt(x) {
    if (x.owner !== kRetained) {
      x.owner = kRetained;
      this.#model.list.push(x);
    } else {
      this.#model.list.push(this.#model.add(x.size, x.buffer, kRetained));
    }
  }
  #pick(numbers) {
    const count = this.#tensors.length;
    return count === 0 ? [] : numbers.map((i) => i % count);
  }
  #scopeAt(s) {
    const known = this.#scopes.flatMap((scope, i) => (scope ? [i] : []));
    return known.length === 0 ? undefined : known[s % known.length];
  }

  /** Makes a call on tensors: the model predicts its outcome, and the engine runs it. */
  #with(numbers, expected, act, applies = () => true) {
    const picked = this.#pick(numbers);
    if (picked.length === 0) return;
    const modelled = picked.map((i) => this.#model.tensors[i]);
    if (!applies(modelled)) return;
    const real = picked.map((i) => this.#tensors[i]);
    if (modelled.some((x) => !x.alive)) this.#expect(kDisposed, () => act(real));
    else {
      const [reason, apply] = expected(modelled);
      this.#expect(reason, () => act(real), apply);
    }
  }
  #inScope(s, expected, act) {
    const at = this.#scopeAt(s);
    if (at === undefined) return;
    const modelled = this.#model.scopes[at];
    const [reason, apply] = modelled.open ? expected(modelled) : [kClosed];
    this.#expect(reason, () => act(this.#scopes[at], modelled), apply);
  }
  #withScope(s, i, change, act) {
    const [at] = this.#pick([i]);
    if (at === undefined) return;
    const x = this.#model.tensors[at];
    const expected = (scope) => {
      if (!x.alive) return [kDisposed];
      const reason = change(scope, x);
      return [reason, () => {}];
    };
    this.#inScope(s, expected, (scope) => act(scope, this.#tensors[at]));
  }
  #expect(reason, act, apply) {
    let made;
    const error = errorOf(() => (made = act()));
    this.#assertReason(error, reason);
    if (error) return;
    apply?.();
    if (made) this.#tensors.push(...[made].flat());
  }
  #assertReason(error, reason) {
    if (!reason) {
      if (error) throw error;
    } else if (reason === kThrown) assert.equal(error, kThrown);
    else if (reason === kDisposed) assert.equal(error?.name, kDisposed);
    else if (reason === 'shapes') assert.match(String(error?.message), /broadcast|shape/i);
    else if (reason === kNoWay) assert.match(String(error?.message), new RegExp(`^${reason}`));
    else assert.match(String(error?.message), new RegExp(`is (.* )?${reason}`));
  }
  #compare(where) {
    const { numTensors, numDataBuffers, numBytes, scopes } = counts(tf);
    const { numTensors: t, numDataBuffers: b, numBytes: n, scopes: s } = this.#start;
    const found = {
      numTensors: numTensors - t,
      numDataBuffers: numDataBuffers - b,
      numBytes: numBytes - n,
      scopes: scopes - s,
    };
    const expected = this.#model.counts();
    for (const [name, value] of Object.entries(expected)) {
      if (found[name] !== value) assert.deepEqual(found, expected, `after ${where}`);
    }
  }
}

/** Returns what a call throws; rethrows a failed comparison inside it. */
function errorOf(act) {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return error;
  }
}
