let api: object | undefined;
let names: Set<string> | undefined;

/** Functions of the package that call functions of the user before they return. */
const kCallBack = new Set([
  ...[
    'tidy',
    'run',
    'scope',
    'scopeAsync',
    'profile',
    'time',
    'grad',
    'grads',
    'valueAndGrad',
    'valueAndGrads',
    'variableGrads',
    'customGrad',
  ],
  ...[
    'minimize',
    'registerOp',
    'map',
    'mapAsync',
    'filter',
    'flatMap',
    'forEach',
    'forEachAsync',
    'generator',
    'func',
    'lambda',
    'call',
    'bind',
  ],
]);

/** Sets the namespace of the package. */
export function setPublicApi(namespace: object): void {
  api = namespace;
}

/** True for the name of a public function or method, such as "zeros", "fromPixels" or "predict". */
export function isPublicName(name: string): boolean {
  names ??= collectNames(api ?? {});
  return names.has(name);
}

/** True if a public function calls functions of the user, so that tensors made meanwhile may come from other call sites. */
export function callsBack(name: string): boolean {
  return kCallBack.has(name);
}

/** Returns the names of the functions in a namespace and in its namespaces, and of the methods of their classes. */
function collectNames(namespace: object): Set<string> {
  const found = new Set<string>();
  const addMembers = (owner: object, depth: number) => {
    // Bundlers turn the members of a namespace into getters.
    for (const name of Object.getOwnPropertyNames(owner)) {
      const value: unknown = Reflect.get(owner, name);
      if (typeof value === 'function') {
        found.add(name);
        addMethods((value as { prototype?: unknown }).prototype);
      } else if (depth > 0 && typeof value === 'object' && value !== null) {
        addMembers(value, depth - 1);
      }
    }
  };
  const addMethods = (prototype: unknown) => {
    for (let methods = prototype; isOwnPrototype(methods); methods = Object.getPrototypeOf(methods)) {
      for (const name of Object.getOwnPropertyNames(methods)) found.add(name);
    }
  };
  addMembers(namespace, 1);
  return found;
}

function isOwnPrototype(value: unknown): value is object {
  return typeof value === 'object' && value !== null && value !== Object.prototype && value !== Error.prototype;
}
