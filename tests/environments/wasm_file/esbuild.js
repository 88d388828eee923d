import wasm from 'tenure/tenure.wasm';
import { show } from './show.js';
show(wasm);
