/** Parses JSON of the type that the caller declares, which nothing checks. Throws SyntaxError for other text. */
export function parseJson<T = unknown>(text: string): T {
  return JSON.parse(text) as T;
}
