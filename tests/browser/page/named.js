// Named imports only: tree shaking must not remove the tensors' methods.
import { tensor1d } from 'tenure';
import { show } from './show.js';

const x = tensor1d([1, 2, 3]);
show(x.mul(2).arraySync());
