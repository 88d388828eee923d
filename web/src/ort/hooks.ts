// Hooks for Node's loader of modules: imports of onnxruntime-web and onnxruntime-node resolve to tenure/ort.

/** Context of a resolution, as Node gives it. */
interface Context {
  /** Address of the importing module. */
  parentURL?: string | undefined;
}
type Resolve = (specifier: string, context: Context) => Promise<{ url: string }>;

/** True if tenure/ort stands for a package of this name. */
export function isReplaced(specifier: string): boolean {
  return /^onnxruntime-(node|web(\/(all|jspi|wasm|webgl|webgpu))?)$/.test(specifier);
}

/** Resolves an import. onnxruntime-common is that of tenure/ort, so that all modules share its classes. */
export function resolve(specifier: string, context: Context, next: Resolve): Promise<{ url: string }> {
  const inOurContext = { ...context, parentURL: import.meta.url };
  if (isReplaced(specifier)) return next('tenure/ort', inOurContext);
  return next(specifier, specifier === 'onnxruntime-common' ? inOurContext : context);
}
