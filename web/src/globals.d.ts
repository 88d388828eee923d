/** True in the debug build; what depends on it is left out of the release build. */
declare const __DEBUG__: boolean;
