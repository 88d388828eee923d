/**
 * Returns a function that asks a node and then its ancestors, innermost first, and returns the first answer that is not
 * undefined. Answers are cached, so that the cost for a file is one call per node, however deep the nesting.
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

/** Returns the innermost class around a node, itself included. */
export const classAround = nearest((node) => (/^Class(Declaration|Expression)$/.test(node.type) ? node : undefined));

const kLoops = /^(For|ForIn|ForOf|While|DoWhile)Statement$/;
const loopAt = nearest((node) => (kLoops.test(node.type) ? node : /Function/.test(node.type) ? null : undefined));

/** Returns the innermost loop around a node in the same function. */
export const loopAround = (node) => loopAt(node.parent) ?? undefined;

/** True if one node lies within another, or is the other. */
export const contains = (outer, inner) => outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];
