/** True in the debug build; what depends on it is left out of the release build. */
declare const __DEBUG__: boolean;
/** True in what Node loads with require(). */
declare const __NODE__: boolean;
/** The package's, of package.json. */
declare const __VERSION__: string;
/** What tells this build's wasm from others: its section of kSection says the same. */
declare const __BUILD__: string;
/** The variants of the engine that this build has files of. */
declare const __VARIANTS__: readonly ('' | 'relaxed' | 'threads' | 'relaxed-threads')[];
/** The bytes of the wasm of this build, which web/build.mjs puts into the script. */
declare module 'tenure:wasm' {
  const bytes: () => Uint8Array<ArrayBuffer>;
  export default bytes;
}
