import { defineLayerClass, makeLayer } from './engine_layer.js';
import { RandomWidth } from './random_width.js';
import { RNN, RecurrentLayer } from './recurrent.js';
import { StackedRNNCells } from './recurrent_cells.js';
import { Bidirectional, TimeDistributed } from './wrappers.js';

for (const cls of [TimeDistributed, Bidirectional, RNN, StackedRNNCells, RandomWidth]) defineLayerClass(cls.className, cls);
for (const className of ['SimpleRNN', 'GRU', 'LSTM', 'ConvLSTM2D']) {
  defineLayerClass(
    className,
    class extends RecurrentLayer {
      static readonly className = className;
    },
  );
}

export { makeLayer };
