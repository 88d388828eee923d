// What the engine should do with tensors and scopes, in plain JavaScript.

export const kCaller = { name: 'caller', open: true, capped: false, parent: null };
export const kHolder = { name: 'holder' };

/** Why a call must throw. */
export const kDisposed = 'DisposedError';
export const kClosed = 'closed';
export const kCapped = 'capped';

export class Model {
  tensors = [];
  scopes = [];
  list = [];
  current = kCaller;

  counts() {
    const alive = this.tensors.filter((x) => x.alive);
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
    const scope = { parent, open: true, capped: false, borrowed: [] };
    this.scopes.push(scope);
    return scope;
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
    this.current = previous.open ? previous : kCaller;
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
      if (x.owner === kHolder || x.owner === kCaller || !x.alive || !this.isInside(x.owner, scope)) continue;
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
  attach(x, scope) {
    if (x.owner === kHolder || x.owner === scope) return undefined;
    if (scope.capped) return kCapped;
    x.owner = scope;
    return undefined;
  }
  keep(x) {
    if (x.owner !== kHolder) x.owner = kCaller;
  }
}
