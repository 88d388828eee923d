// Drives the engine's module by its Embind exports alone, in Node and in a page.

/** Returns the number of handles, buffers, bytes and scopes, and the bytes taken from the allocator, without pools. */
export function counts(engine) {
  const { numTensors, numDataBuffers, numBytes, scopes, heapUsed, cpuPool } = engine.memory();
  return { numTensors, numDataBuffers, numBytes, scopes, inUse: heapUsed - cpuPool };
}

/** Returns what a function throws as `{ error }`, or undefined. */
export function thrownBy(body) {
  try {
    body();
  } catch (error) {
    return { error };
  }
  return undefined;
}

/** Returns the tests' operations on an engine, given the text of a model.json and the bytes of its weights. */
export function driver(engine, json, weights) {
  const model = engine.LayersModel.load(json, weights);
  const flower = engine.tensor(Float32Array.of(5.1, 3.5, 1.4, 0.2), [1, 4]);
  const predict = () => engine.tidy(() => model.predict(flower));
  // The first prediction makes a plan, which stays.
  engine.dispose(predict()[0]);

  /** Returns the predicted class of the flower. */
  function classify() {
    const [scores] = predict();
    const { values } = engine.read(scores);
    engine.dispose(scores);
    return values.indexOf(Math.max(...values));
  }

  /** Nests three tidies, each of which returns a handle to the scope around it. */
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
      engine.tidy(() =>
        engine.tidy(() => {
          model.predict(flower);
          throw value;
        }),
      );
    });
  }

  /** Calls `body` at a depth of `depth` frames of JavaScript. */
  const dive = (depth, body) => (depth > 0 ? dive(depth - 1, body) : body());
  /** Returns the number of frames that fit on the stack. */
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
   * Overflows the stack inside tidies. If `slack` is 0, tidies nest until it overflows. Otherwise a tidy runs `slack` frames
   * before the end, inside another one if `slack` is odd.
   */
  function endStack(slack) {
    const nest = () => engine.tidy(() => (model.predict(flower), nest()));
    if (slack === 0) nest();
    else if (slack % 2 === 0) dive(deepest() - slack, () => engine.tidy(() => void model.predict(flower)));
    else engine.tidy(() => void dive(deepest() - slack, () => engine.tidy(() => model.predict(flower))));
  }

  /** How often spin() has started to spin. */
  let spins = 0;

  /** Opens `depth` tidies, each with tensors of its own, and then spins without the engine until a time limit interrupts it. */
  function spin(depth) {
    return engine.tidy(() => {
      model.predict(flower);
      if (depth > 1) return spin(depth - 1);
      for (spins++; ; );
    });
  }

  /**
   * Returns a function to call after each interrupted spin(): it returns `{ now, expected, early }`, the present and the
   * expected counts. On a busy machine a limit may strike before spin() spins, possibly inside an op: that is `early`, and
   * bytes may be lost.
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

  /** Works inside tidies until a time limit interrupts it, in the way with number `way`. */
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
