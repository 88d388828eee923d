import { program } from './program.mjs';
console.log(await program());
