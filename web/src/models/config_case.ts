// Conversion of configurations, keys and string values, between camelCase (in programs) and snake_case (in files).

/** Converts "kernelSize" to "kernel_size", as TensorFlow.js does. */
export function toSnakeCase(name: string): string {
  const words = name
    .replace(/(.)([A-Z][a-z0-9]+)/g, '$1_$2')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase();
  return words.startsWith('_') ? `private${words}` : words;
}

/** Converts "kernel_size" to "kernelSize". */
export function toCamelCase(name: string): string {
  if (name.length <= 1 || !name.includes('_')) return name;
  return name.replace(/_+(\w|$)/g, (_, letter: string) => letter.toUpperCase());
}

const kConnections = ['inboundNodes', 'inputLayers', 'outputLayers'];

type Rename = (word: string) => string;

function converted(value: unknown, key: string, rename: Rename, isName: (key: string) => boolean): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return rename(value);
  if (Array.isArray(value)) {
    // The first element of a connection is the name of a layer, which is not converted.
    const asIs = (item: unknown, i: number) => i === 0 && typeof item === 'string' && kConnections.includes(key);
    return value.map((item, i) => (asIs(item, i) ? (item as unknown) : converted(item, key, rename, isName)));
  }
  if (typeof value !== 'object') return value;
  const result: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    const kept = isName(name) && typeof member === 'string';
    const renamed = rename(name);
    result[renamed] = kept ? member : converted(member, rename === toCamelCase ? renamed : name, rename, isName);
  }
  return result;
}

/** Returns a configuration in snake_case, as files store it. */
export function convertTsToPythonic(config: unknown): unknown {
  return converted(config, '', toSnakeCase, (key) => key === 'name' || key === 'className');
}

/** Returns a configuration in camelCase, as programs use it. */
export function convertPythonicToTs(config: unknown): unknown {
  return converted(config, '', toCamelCase, (key) => key === 'name');
}
