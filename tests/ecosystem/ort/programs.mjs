// The programs, and what each computes.
import { computeInPage, removeBackground } from './page.mjs';

/**
 * Programs: the package that each uses, and what it does. Those of this folder write numbers to the standard output, as JSON;
 * `inPage` computes the same in a page. `inPages` computes in pages only, on Tenure if its second argument is true.
 */
export const programs = {
  'transformers.mjs': {
    name: '@huggingface/transformers',
    what: 'features, classes, and classes of the words of two sentences by BERTs of two layers, with random weights',
    inPage: computeInPage,
  },
  'generation.mjs': {
    name: '@huggingface/transformers',
    what: 'thirty tokens after three prompts by a decoder with a cache, and of two sounds by a Whisper, of two layers, with random weights',
  },
  'vad.mjs': {
    name: '@ricky0123/vad-web',
    what: 'probabilities of speech in a second of sound by its three models of Silero VAD',
  },
  rembg: {
    name: '@bunnio/rembg-web',
    what: 'the background of a picture removed in a page, by a U²-Net of three stages with random weights',
    inPages: removeBackground,
    // Pixels have 255 steps.
    tolerance: 1.5 / 255,
  },
};
