// Computes embeddings with @huggingface/transformers: `node transformers.mjs FOLDER`, where a folder "tiny" will be written.
import { env, pipeline } from '@huggingface/transformers';
import path from 'node:path';
import { writeTinyBert } from './tiny_bert.mjs';

const [, , folder] = process.argv;
writeTinyBert(path.join(folder, 'tiny'));
Object.assign(env, { allowRemoteModels: false, localModelPath: `${folder}/` });
const extract = await pipeline('feature-extraction', 'tiny', { dtype: 'fp32' });
const sentences = ['The quick brown fox jumps over a lazy dog', 'a fox jumped'];
const all = await extract(sentences);
const pooled = await extract(sentences, { pooling: 'mean', normalize: true });
await extract.dispose();
console.log(JSON.stringify([...all.data, ...pooled.data]));
