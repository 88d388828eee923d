import { program } from './program.mjs';
program().then((own) => {
  document.body.id = 'result';
  document.body.textContent = JSON.stringify([own]);
});
