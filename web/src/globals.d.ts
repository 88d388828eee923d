/** True in the debug build. The release build leaves out the code that depends on it. */
declare const __DEBUG__: boolean;
/** True in the script that Node loads with require(). */
declare const __NODE__: boolean;
/** The version of the package, from package.json. */
declare const __VERSION__: string;
/** The id of this build. The custom section 'tenure' of its wasm files holds the same id. */
declare const __BUILD__: string;
/** The variants of the engine that this build has files of. */
declare const __VARIANTS__: readonly ('' | 'relaxed' | 'threads' | 'relaxed-threads')[];
/** The bytes of this build's wasm, which web/build.mjs inlines into the script. */
declare module 'tenure:wasm' {
  const bytes: () => Uint8Array<ArrayBuffer>;
  export default bytes;
}
