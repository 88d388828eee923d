/**
 * Returns a function that asks a node and then its ancestors, the innermost first, and returns the first answer that is not
 * undefined. Answers are kept, so that all nodes of a file together cost one look at each, however deep they are nested.
 */
export function nearest(ask) {
  const answers = new WeakMap();
  return (node) => {
    const asked = [];
    let answer;
    for (let at = node; at; at = at.parent) {
      if (answers.has(at)) {
        answer = answers.get(at);
        break;
      }
      asked.push(at);
      answer = ask(at);
      if (answer !== undefined) break;
    }
    for (const at of asked) answers.set(at, answer);
    return answer;
  };
}
