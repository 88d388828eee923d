// Classifies with @huggingface/transformers: `node transformers.mjs FOLDER`, where the folders of the models will be written.
import path from 'node:path';
import { computeFeatures, models } from './features.mjs';
import { writeTinyBert } from './tiny_bert.mjs';

const [, , folder] = process.argv;
for (const [name, architecture] of Object.entries(models)) writeTinyBert(path.join(folder, name), architecture);
console.log(JSON.stringify(await computeFeatures(`${folder}/`)));
