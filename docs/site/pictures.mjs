// Draws the five diagrams of ownership from a few shapes, in the colours of the page around them.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const box = (x, y, width, height, kind = '') =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="8" class="box ${kind}"/>`;
const tensor = (x, y, kind = 'tidy') => `<circle cx="${x}" cy="${y}" r="13" class="tensor ${kind}"/>`;
const words = (x, y, text, kind = '') => `<text x="${x}" y="${y}" class="${kind}">${text}</text>`;
const arrow = (x1, y1, x2, y2, kind = '') =>
  `<path d="M${x1} ${y1}L${x2} ${y2}" class="arrow ${kind}" marker-end="url(#tip)"/>`;

const pictures = {
  handle: {
    label:
      'An object of JavaScript holds a handle; the handle leads to the bytes in the engine. The garbage collector takes the object, and the bytes stay.',
    shapes: [
      words(20, 26, 'JavaScript', 'head'),
      box(20, 40, 150, 70),
      words(40, 80, 'x: Tensor'),
      words(285, 26, 'Engine (WebAssembly, GPU)', 'head'),
      box(285, 40, 300, 70, 'engine'),
      tensor(320, 75),
      words(345, 80, '588 KB'),
      arrow(170, 75, 300, 75),
      words(200, 65, 'id 17'),
      box(20, 130, 150, 60, 'gone'),
      words(40, 165, 'collected', 'faint'),
      box(285, 130, 300, 60, 'engine'),
      tensor(320, 160, 'leaking'),
      words(345, 165, '588 KB, for ever', 'leaking'),
    ],
    height: 205,
  },
  tidy: {
    label:
      'Three tensors belong to a tidy. At its end it frees two of them, and hands the one that is returned to the scope around it.',
    shapes: [
      box(20, 40, 330, 120),
      words(35, 28, 'tf.tidy(() => ...)', 'code'),
      tensor(70, 85),
      words(52, 125, 'image'),
      tensor(160, 85),
      words(145, 125, 'sum'),
      tensor(270, 85, 'result'),
      words(242, 125, 'returned'),
      arrow(290, 85, 440, 85),
      box(445, 40, 140, 90, 'outer'),
      words(455, 28, 'the scope around', 'faint'),
      tensor(515, 85, 'result'),
      words(35, 185, 'At its end the other two are freed, also when it throws.', 'faint'),
    ],
    height: 200,
  },
  holder: {
    label:
      'A model owns its weights: scopes open and close around it, and do not touch them. They go when the model is disposed.',
    shapes: [
      box(20, 40, 240, 110, 'holder'),
      words(35, 28, 'model, variable, TensorMap', 'code'),
      tensor(75, 95, 'held'),
      tensor(135, 95, 'held'),
      tensor(195, 95, 'held'),
      box(330, 40, 255, 110),
      words(345, 28, 'tidy, once for each frame', 'code'),
      tensor(385, 95),
      tensor(445, 95),
      arrow(320, 95, 268, 95),
      words(480, 100, 'predict'),
      words(20, 178, 'Scopes come and go; what a holder owns stays until holder.dispose().', 'faint'),
    ],
    height: 195,
  },
  caller: {
    label: 'A tensor that was made in no scope belongs to you: somebody has to dispose it. This is what leaks.',
    shapes: [
      box(20, 40, 200, 100, 'outer'),
      words(35, 28, 'no scope', 'code'),
      tensor(70, 90, 'leaking'),
      tensor(120, 90, 'leaking'),
      tensor(170, 90, 'leaking'),
      arrow(225, 90, 300, 90),
      words(310, 80, 'x.dispose()'),
      words(310, 105, 'or tf.dispose({ x, y })'),
      words(20, 168, 'Nobody does it for you: tf.memory().numTensors counts them,', 'faint'),
      words(20, 188, 'and the debug build names the line that created each tensor.', 'faint'),
    ],
    height: 200,
  },
  tree: {
    label:
      'Two scopes live beside each other under one parent. Each frees what is its own; borrow lends a tensor, ret hands one to the parent.',
    shapes: [
      box(20, 20, 565, 180, 'outer'),
      words(35, 42, 'parent', 'code'),
      box(40, 70, 230, 90),
      words(55, 62, 'scope a', 'code'),
      tensor(85, 115),
      tensor(145, 115),
      tensor(230, 115, 'result'),
      box(340, 70, 220, 90),
      words(355, 62, 'scope b', 'code'),
      tensor(385, 115),
      tensor(445, 115),
      arrow(230, 100, 230, 46),
      words(240, 48, 'ret'),
      arrow(243, 125, 370, 125),
      words(283, 147, 'borrow'),
      words(40, 188, 'a may await while b works: neither frees what the other owns.', 'faint'),
    ],
    height: 215,
  },
};

/** Writes the diagrams, each on one line, as pages of Markdown include them. */
export function writePictures(folder) {
  mkdirSync(folder, { recursive: true });
  for (const [name, { label, shapes, height }] of Object.entries(pictures)) {
    const tip =
      '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L10 5L0 10z" class="tip"/></marker></defs>';
    const svg = `<svg class="picture" viewBox="0 0 605 ${height}" role="img" aria-label="${label}">${tip}${shapes.join('')}</svg>`;
    writeFileSync(
      path.join(folder, `${name}.svg`),
      `${svg.replaceAll('tip"', `tip-${name}"`).replaceAll('#tip)', `#tip-${name})`)}\n`,
    );
  }
}
