// `node --import ./tests/builds/relaxed.mjs ...`: WebAssembly has relaxed SIMD, and the engine is loaded that is made for it.
import v8 from 'node:v8';
import { hasRelaxedSimd } from './relaxed_simd.mjs';

if (!hasRelaxedSimd()) v8.setFlagsFromString('--experimental-wasm-relaxed-simd');
