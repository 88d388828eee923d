// Named imports only: what a bundler drops must not take the tensors' methods along.
import { tensor1d } from 'tenure';
import { show } from './show.js';

const x = tensor1d([1, 2, 3]);
show(x.mul(2).arraySync());
