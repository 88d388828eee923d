import { found } from './found.js';

found().then((text) => {
  document.body.id = 'result';
  document.body.textContent = JSON.stringify([text]);
});
