// What the engine should do with tensors and scopes, in plain JavaScript.

export const kUnscoped = { name: 'caller', open: true, capped: false, parent: null };
export const kRetained = { name: 'holder' };

/** Why a call must throw. */
export const kDisposed = 'DisposedError';
export const kClosed = 'closed';
export const kCapped = 'capped';
export const kNoManual = 'no scope here';
export const kNoWay = 'Cannot compute gradient';

export class Model {
  tensors = [];
  scopes = [];
  list = [];
  /** What functions with gradients of their own have saved, until the outermost gradient is there. */
  saved = [];
  current = kUnscoped;
  /** How many functions are at work that have made a scope of their own current. */
  frames = 0;
  /** Where the running code is outside of those: a scope, or the scopes around it where that is closed. */
  place = undefined;
  /** Scopes of startScope() that all code is in that is in no other place. */
  shared = [];

  counts() {
    const alive = [...this.tensors.filter((x) => x.alive), ...this.saved];
    return {
      numTensors: alive.length,
      numDataBuffers: new Set(alive.map((x) => x.buffer)).size,
      numBytes: alive.reduce((sum, x) => sum + 4 * x.size, 0),
      scopes: this.scopes.filter((scope) => scope.open).length,
    };
  }

  /** Why nothing can be made in the scope; undefined where it can. */
  refusal(owner = this.current) {
    return owner.capped ? kCapped : undefined;
  }
  add(size, buffer = {}, owner = this.current) {
    const x = { size, buffer, owner, alive: true };
    this.tensors.push(x);
    return x;
  }

  open(parent) {
    const scope = { parent, open: true, capped: false };
    this.scopes.push(scope);
    return scope;
  }
  /** What the code is in, as a place. */
  here() {
    let at = this.place;
    while (at && !at.scope.open) at = at.outer;
    return at ?? this.shared.findLast(({ scope }) => scope.open);
  }
  /** To be called before whatever needs to know the current scope. */
  follow() {
    if (this.frames === 0) this.current = this.here()?.scope ?? kUnscoped;
  }
  startScope(opener) {
    const outer = this.here();
    const scope = Object.assign(this.open(this.current), { isManual: true, opener });
    this.place = { scope, outer };
    if (!outer && this.frames === 0) this.shared.push(this.place);
    this.current = scope;
  }
  /** Gives why the results cannot be handed over; the scope ends all the same. */
  endScope(results) {
    const scope = this.current;
    const reason = this.moveUp(results, scope, scope.parent);
    for (const inner of this.scopes) if ((inner.isManual || inner.lasts) && inner.open && inner.parent === scope) inner.parent = scope.parent;
    this.close(scope);
    return reason;
  }
  isInside(owner, scope) {
    for (let at = owner; at; at = at.parent) if (at === scope) return true;
    return false;
  }
  nearestOpen(scope) {
    while (!scope.open) scope = scope.parent;
    return scope;
  }
  leave(previous) {
    this.current = this.nearestOpen(previous);
  }
  close(scope) {
    if (!scope.open) return;
    if (this.isInside(this.current, scope)) this.current = scope.parent;
    for (const x of this.tensors) if (x.alive && this.isInside(x.owner, scope)) x.alive = false;
    for (const inner of this.scopes) if (inner.open && this.isInside(inner, scope)) inner.open = false;
  }

  /** Moves results out of a scope; gives why that cannot be. */
  moveUp(results, scope, to) {
    for (const x of results) {
      if (x.owner === kRetained || x.owner === kUnscoped || !x.alive || !this.isInside(x.owner, scope)) continue;
      if (to.capped) return kCapped;
      x.owner = to;
    }
    return undefined;
  }
  passOut(results, scope) {
    let to = scope.parent;
    while (to.capped) to = to.parent;
    return this.moveUp(results, scope, to);
  }
  borrow(x, scope) {
    return this.add(x.size, x.buffer, scope);
  }
  attach(x, scope) {
    if (x.owner === kRetained || x.owner === scope) return undefined;
    if (scope.capped) return kCapped;
    x.owner = scope;
    return undefined;
  }
  keep(x) {
    if (x.owner !== kRetained) x.owner = kUnscoped;
  }
}
