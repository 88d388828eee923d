// Random programs of everything that moves tensors: the ledger must agree with the engine at every step.
import fc from 'fast-check';
import { test } from 'node:test';
import { assert, counts, held, tf, warningsOf } from './expect.mjs';

const index = fc.nat(50);
const steps = fc.letrec((tie) => ({
  step: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ what: fc.constant('make'), size: fc.nat(4) }),
    fc.record({
      what: fc.constantFrom('op', 'clone', 'split', 'dispose', 'keep', 'hold', 'attach', 'detach', 'borrow', 'close'),
      which: index,
    }),
    fc.record({ what: fc.constantFrom('tidy', 'scope'), body: tie('body'), throws: fc.boolean(), which: index }),
  ),
  body: fc.array(tie('step'), { maxLength: 6 }),
})).body;

class Program {
  tensors = [];
  scopes = [];
  variables = [];

  run(body) {
    for (const step of body) {
      this[step.what](step);
      assertAgreement(this);
    }
  }

  /** Runs `use` with a live tensor, if there is one. */
  pick(which, use) {
    const alive = this.tensors.filter((tensor) => !tensor.isDisposed);
    if (alive.length > 0) this.add(use(alive[which % alive.length]));
  }
  add(made) {
    if (made instanceof tf.Tensor) this.tensors.push(made);
    else if (Array.isArray(made)) this.tensors.push(...made);
  }

  make({ size }) {
    this.add(tf.ones([size, 2], size % 2 ? 'bool' : 'float32'));
  }
  op({ which }) {
    this.pick(which, (x) => tf.tidy(() => tf.euclideanNorm(x.toFloat().add(1))));
  }
  clone({ which }) {
    this.pick(which, (x) => x.clone());
  }
  split({ which }) {
    this.pick(which, (x) => tf.tidy(() => tf.unstack(x.reshape([1, -1]))));
  }
  dispose({ which }) {
    this.pick(which, (x) => x.dispose());
  }
  keep({ which }) {
    this.pick(which, (x) => tf.keep(x));
  }
  hold({ which }) {
    this.pick(which, (x) => void this.variables.push(tf.variable(x)));
  }
  attach({ which }) {
    this.inScope(which, (scope) => this.pick(which, (x) => void scope.attach(x)));
  }
  detach({ which }) {
    this.inScope(which, (scope) => this.pick(which, (x) => void scope.detach(x)));
  }
  borrow({ which }) {
    this.inScope(which, (scope) => this.pick(which, (x) => scope.borrow(x)));
  }
  close({ which }) {
    this.inScope(which, (scope) => scope.close());
  }
  inScope(which, use) {
    const open = this.scopes.filter(({ closed }) => !closed);
    if (open.length > 0) use(open[which % open.length]);
  }

  tidy({ body, throws, which }) {
    this.thrown(throws, () => tf.tidy('t', () => this.inside(body, throws, which)));
  }
  scope({ body, throws, which }) {
    const scope = tf.scope('s');
    this.scopes.push(scope);
    this.thrown(throws, () => scope.run(() => this.inside(body, throws, which)));
  }
  inside(body, throws, which) {
    this.run(body);
    if (throws) throw new Error('mine');
    return this.tensors[which % (this.tensors.length || 1)];
  }
  thrown(throws, body) {
    if (throws) assert.throws(body, /mine|is closed/);
    else body();
  }

  end() {
    for (const scope of this.scopes) scope.close();
    tf.dispose([this.tensors.filter((tensor) => !tensor.isDisposed), this.variables]);
  }
}

function assertAgreement({ scopes }) {
  const { numTensors, numBytes } = tf.memory();
  const snapshot = tf.debug.snapshot();
  assert.deepEqual([snapshot.numTensors, snapshot.numBytes], [numTensors, numBytes]);
  const inScopes = snapshot.tensors.filter(({ owner }) => owner.endsWith('scope "s"')).length;
  const own = scopes.filter(({ closed }) => !closed).map((scope) => Number(/^s: (\d+)/.exec(scope.dump())[1]));
  assert.equal(
    inScopes,
    own.reduce((sum, count) => sum + count, 0),
  );
}

test('the ledger agrees with the engine at every step of random programs', (context) => {
  const before = held(tf);
  const warnings = warningsOf(context, () => {
    fc.assert(
      fc.property(steps, (body) => {
        const before = counts(tf);
        const program = new Program();
        program.run(body);
        program.end();
        assertAgreement(program);
        assert.deepEqual(counts(tf), before);
      }),
      { numRuns: 1000 },
    );
  });
  assert.deepEqual(held(tf), before);
  assert.ok(
    warnings.every((message) => / at [\w/]*random_programs\.test\.mjs:\d+:\d+/.test(message)),
    warnings.join('\n'),
  );
});
