/** True in the debug build. The release build leaves out the code that depends on it. */
declare const __DEBUG__: boolean;
/** The version of the package, from package.json. */
declare const __VERSION__: string;
/** The id of this build. The custom section 'tenure' of its wasm files holds the same id. */
declare const __BUILD__: string;
/** True if this build has kernels with relaxed SIMD. Local builds of web/build.mjs --quick have none. */
declare const __RELAXED__: boolean;
/** Returns the bytes of the engine's first file, which web/build.mjs inlines; compressed in the debug build. */
declare module 'tenure:wasm' {
  const bytes: () => Uint8Array<ArrayBuffer>;
  export default bytes;
}
/** Functions that return the compressed bytes of the engine's other files, by their names. */
declare module 'tenure:parts' {
  const parts: Readonly<Record<string, () => Uint8Array<ArrayBuffer>>>;
  export default parts;
}
/** Vite, webpack and Turbopack define `env`. */
interface ImportMeta {
  readonly env?: { readonly PROD?: boolean };
}
