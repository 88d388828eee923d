import wasm from 'tenure/tenure.wasm?url';
import { show } from './show.js';
show(wasm);
