// The programs, and what each computes.
import { computeInPage } from './page.mjs';

/**
 * Programs of this folder: the package that each uses, and what it does. Each writes numbers to the standard output, as JSON.
 * `inPage` computes the same in a page.
 */
export const programs = {
  'transformers.mjs': {
    name: '@huggingface/transformers',
    what: 'feature extraction of two sentences by a BERT of two layers, with random weights',
    inPage: computeInPage,
  },
  'vad.mjs': {
    name: '@ricky0123/vad-web',
    what: 'probabilities of speech in a second of sound by its three models of Silero VAD',
  },
};
