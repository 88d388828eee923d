/** Writes the result into the page, where the test reads it. */
export function show(found) {
  const result = document.createElement('pre');
  result.id = 'result';
  result.textContent = JSON.stringify(found);
  document.body.append(result);
}
