const kGravity = 9.8;
const kPoleMass = 0.1;
const kTotalMass = 1 + kPoleMass;
const kHalfLength = 0.5;
const kForce = 10;
const kSeconds = 0.02;
const kFarthest = 2.4;
const kSteepest = (12 * Math.PI) / 180;

/** A pole on a cart that is pushed left or right (Barto, Sutton and Anderson, 1983). */
export class CartPole {
  #random;
  #state = [0, 0, 0, 0];

  /** `random` returns numbers from [0, 1). */
  constructor(random) {
    this.#random = random;
  }

  /** Resets the pole; returns position, velocity, angle and angular velocity. */
  reset() {
    this.#state = Array.from({ length: 4 }, () => 0.1 * this.#random() - 0.05);
    return [...this.#state];
  }

  /** Pushes the cart to the left (0) or to the right (1) for a fiftieth of a second. */
  step(action) {
    const [x, speed, angle, turning] = this.#state;
    const force = action === 1 ? kForce : -kForce;
    const sin = Math.sin(angle);
    const cos = Math.cos(angle);
    const push = (force + kPoleMass * kHalfLength * turning ** 2 * sin) / kTotalMass;
    const twist = (kGravity * sin - cos * push) / (kHalfLength * (4 / 3 - (kPoleMass * cos ** 2) / kTotalMass));
    const drive = push - (kPoleMass * kHalfLength * twist * cos) / kTotalMass;
    this.#state = [
      x + kSeconds * speed,
      speed + kSeconds * drive,
      angle + kSeconds * turning,
      turning + kSeconds * twist,
    ];
    const done = Math.abs(this.#state[0]) > kFarthest || Math.abs(this.#state[2]) > kSteepest;
    return { observation: [...this.#state], reward: 1, done };
  }
}
