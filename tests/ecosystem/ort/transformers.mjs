// Computes embeddings with @huggingface/transformers: `node transformers.mjs FOLDER`, where a folder "tiny" will be written.
import path from 'node:path';
import { computeFeatures } from './features.mjs';
import { writeTinyBert } from './tiny_bert.mjs';

const [, , folder] = process.argv;
writeTinyBert(path.join(folder, 'tiny'));
console.log(JSON.stringify(await computeFeatures(`${folder}/`)));
