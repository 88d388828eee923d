// Drives the engine's module by its Embind exports alone, in Node and in a page.

/** Handles, buffers, bytes and scopes that there are, and the bytes that are taken from the allocator, pools apart. */
export function counts(engine) {
  const { numTensors, numDataBuffers, numBytes, scopes, heapUsed, cpuPool } = engine.memory();
  return { numTensors, numDataBuffers, numBytes, scopes, inUse: heapUsed - cpuPool };
}

/** What a function throws: `{ error }`, or undefined. */
export function thrownBy(body) {
  try {
    body();
  } catch (error) {
    return { error };
  }
  return undefined;
}

/** What the tests do with an engine, given the text of a model.json and the bytes of its weights. */
export function driver(engine, json, weights) {
  const model = engine.LayersModel.load(json, weights);
  const flower = engine.tensor(Float32Array.of(5.1, 3.5, 1.4, 0.2), [1, 4]);
  const predict = () => engine.tidy(() => model.predict(flower));
  // The first prediction makes a plan, which stays.
  engine.dispose(predict()[0]);

  /** What the model says of the flower, by an engine in order. */
  function classify() {
    const [scores] = predict();
    const { values } = engine.read(scores);
    engine.dispose(scores);
    return values.indexOf(Math.max(...values));
  }

  /** Tidies nest three deep, and one handle of each survives into the scope around. */
  function nested() {
    const [outer] = engine.tidy(() => {
      const inner = engine.tidy(() => {
        model.predict(flower);
        return engine.tidy(() => [...model.predict(flower), ...model.predict(flower)])[1];
      });
      return [inner];
    });
    const { shape } = engine.read(outer);
    engine.dispose(outer);
    return shape;
  }

  /** Throws `value` three tidies deep. */
  function throwing(value) {
    engine.tidy(() => {
      model.predict(flower);
      engine.tidy(() => engine.tidy(() => {
        model.predict(flower);
        throw value;
      }));
    });
  }

  /** Calls `body` in as many frames of JavaScript. */
  const dive = (depth, body) => (depth > 0 ? dive(depth - 1, body) : body());
  /** How many frames fit on the stack. */
  function deepest() {
    let depth = 0;
    const measure = () => {
      depth++;
      measure();
    };
    thrownBy(measure);
    return depth;
  }

  /**
   * Ends the stack inside tidies: where `slack` is 0 by nothing else, and otherwise so many frames before the end, which an
   * even number does without a tidy around.
   */
  function endStack(slack) {
    const nest = () => engine.tidy(() => (model.predict(flower), nest()));
    if (slack === 0) nest();
    else if (slack % 2 === 0) dive(deepest() - slack, () => engine.tidy(() => void model.predict(flower)));
    else engine.tidy(() => void dive(deepest() - slack, () => engine.tidy(() => model.predict(flower))));
  }

  /** How often spin() began to spin. */
  let spins = 0;

  /** Opens so many tidies, each with tensors of its own, and then computes nothing until a time limit strikes. */
  function spin(depth) {
    return engine.tidy(() => {
      model.predict(flower);
      if (depth > 1) return spin(depth - 1);
      for (spins++; ; );
    });
  }

  /**
   * A function to be called after each spin() that was cut: `{ now, expected, early }`, what there is and what has to be. On a
   * busy machine a limit strikes before spin() spins, and maybe inside an op: that is early, and bytes may be lost.
   */
  function auditor() {
    let expected = counts(engine);
    let spun = spins;
    return () => {
      const now = counts(engine);
      const early = spins === spun;
      spun = spins;
      if (early) expected = { ...expected, inUse: now.inUse };
      return { now, expected, early };
    };
  }

  /** Works inside of tidies until a time limit strikes, in the way that has the number. */
  function work(way) {
    const bodies = [
      () => model.predict(flower),
      () => engine.tidy(() => void model.predict(flower)),
      () => engine.tidy(() => engine.tidy(() => void engine.dispose(engine.tensor(new Float32Array(64), [8, 8])))),
    ];
    const body = bodies[way % bodies.length];
    return engine.tidy(() => {
      for (;;) body();
    });
  }

  return { engine, model, flower, classify, nested, throwing, endStack, deepest, spin, auditor, work };
}
