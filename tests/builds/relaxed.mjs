// `node --import ./tests/builds/relaxed.mjs ...`: enables relaxed SIMD, and loads the engine that uses it.
import v8 from 'node:v8';
import { hasRelaxedSimd } from './relaxed_simd.mjs';

if (!hasRelaxedSimd()) v8.setFlagsFromString('--experimental-wasm-relaxed-simd');
