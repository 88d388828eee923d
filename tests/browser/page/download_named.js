// Three ops by named imports.
import { add, tensor, tidy } from 'tenure';
import { show } from './show.js';

show(tidy(() => add(tensor([1, 2]), 3).arraySync()));
