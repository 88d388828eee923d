import { Embedding } from './embedding.js';
import { defineLayerClass, makeLayer } from './engine_layer.js';
import { BuiltInRecurrent, RNN } from './recurrent.js';
import { StackedRNNCells } from './recurrent_cells.js';
import { Bidirectional, TimeDistributed } from './wrappers.js';

for (const cls of [Embedding, TimeDistributed, Bidirectional, RNN, StackedRNNCells])
  defineLayerClass(cls.className, cls);
for (const className of ['SimpleRNN', 'GRU', 'LSTM', 'ConvLSTM2D']) {
  defineLayerClass(
    className,
    class extends BuiltInRecurrent {
      static override readonly className = className;
    },
  );
}

export { makeLayer };
