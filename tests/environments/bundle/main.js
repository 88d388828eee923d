import { measure } from './measure.js';

measure().then((found) => {
  document.body.id = 'result';
  document.body.textContent = JSON.stringify(found);
});
