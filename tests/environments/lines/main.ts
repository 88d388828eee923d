import { lines } from './lines.ts';
console.log(lines());
