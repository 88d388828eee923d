import { show } from './show.js';
show();
