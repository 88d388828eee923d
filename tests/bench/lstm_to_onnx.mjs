import { permute } from './layout.mjs';

// Keras orders the gates input, forget, cell, output; ONNX input, output, forget, cell.
const kGateOrder = [0, 3, 1, 2];

/** Returns gate columns as rows in ONNX's order: [inputs, 4 * units] -> [1, 4 * units, inputs]. */
function gateRows({ values, shape: [inputs, columns] }) {
  const units = columns / 4;
  const rows = permute(values, [inputs, columns], [1, 0]).values;
  const length = units * inputs;
  const result = new Float32Array(rows.length);
  kGateOrder.forEach((gate, i) => result.set(rows.subarray(gate * length, (gate + 1) * length), i * length));
  return { values: result, shape: [1, columns, inputs] };
}

/** Adds an LSTM layer. ONNX has time before batch, and a second bias, which Keras does not have. */
export function lstmLayer(graph, { units, return_sequences: sequences, activation, recurrent_activation: gates }) {
  if (activation !== 'tanh' || gates !== 'hard_sigmoid')
    throw new Error('only the usual activations are written as ONNX');
  const bias = graph.weight('bias').values;
  const { values } = gateRows({ values: bias, shape: [1, bias.length] });
  const biases = new Float32Array(2 * bias.length);
  biases.set(values);
  graph.node('Transpose', [], { perm: [1, 0, 2] });
  graph.node(
    'LSTM',
    [
      graph.constant('kernel', gateRows(graph.weight('kernel'))),
      graph.constant('recurrent_kernel', gateRows(graph.weight('recurrent_kernel'))),
      graph.constant('bias', { values: biases, shape: [1, biases.length] }),
    ],
    { hidden_size: units, activations: ['HardSigmoid', 'Tanh', 'Tanh'] },
    sequences ? 0 : 1,
  );
  // All steps are [time, 1, batch, units], the last one [1, batch, units].
  graph.node('Squeeze', [graph.constant('direction', { values: [sequences ? 1 : 0], shape: [1] })]);
  if (sequences) graph.node('Transpose', [], { perm: [1, 0, 2] });
}
