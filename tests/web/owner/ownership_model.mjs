// A reference model of tensors and scopes, in plain JavaScript.

export const kUnscoped = { name: 'caller', open: true, capped: false, parent: null };
export const kRetained = { name: 'holder' };

/** Reasons why a call must throw. */
export const kDisposed = 'DisposedError';
export const kClosed = 'closed';
export const kCapped = 'capped';
export const kNoManual = 'no scope here';
export const kNoWay = 'Cannot compute gradient';

export class Model {
  tensors = [];
  scopes = [];
  list = [];
  /** Tensors saved by custom gradient functions, until the outermost gradient is computed. */
  saved = [];
  current = kUnscoped;
  /** The number of running functions that have made a scope of their own current. */
  frames = 0;
  /**
   * The async scope context of the running code outside those functions: a scope, and the contexts around it in case it is
   * closed.
   */
  place = undefined;
  /** Scopes of startScope() that apply to code with no async context. */
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

  /** Returns why nothing can be created in the scope; undefined if it can. */
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
  /** Returns the running code's innermost context whose scope is open. */
  here() {
    let at = this.place;
    while (at && !at.scope.open) at = at.outer;
    return at ?? this.shared.findLast(({ scope }) => scope.open);
  }
  /** Synchronizes the current scope with the async context. Every operation that reads the current scope calls it first. */
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
  /** Ends the scope in any case; returns why the results cannot be handed over, if so. */
  endScope(results) {
    const scope = this.current;
    const reason = this.moveUp(results, scope, scope.parent);
    for (const inner of this.scopes)
      if ((inner.isManual || inner.lasts) && inner.open && inner.parent === scope) inner.parent = scope.parent;
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

  /** Moves results out of a scope; returns why they cannot be moved, if so. */
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
