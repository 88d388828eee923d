import { lines } from './lines.ts';
document.body.id = 'result';
document.body.textContent = JSON.stringify([lines()]);
