import { program } from './program.mjs';
program().then(console.log);
