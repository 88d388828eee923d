// One row for each way to call an op: its name, the call, and the shape, values and dtype of the result. The values are worked
// out by hand or in plain JavaScript; those of losses and metrics are TensorFlow.js's.
import { imageCases } from './cases/image.mjs';
import { mathCases } from './cases/math.mjs';
import { movementCases } from './cases/movement.mjs';
import { nnCases } from './cases/nn.mjs';
import { textCases } from './cases/text.mjs';

export const cases = [...imageCases, ...mathCases, ...movementCases, ...nnCases, ...textCases];
