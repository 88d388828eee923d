import { env, pipeline } from '@huggingface/transformers';

/** Returns the embeddings of two sentences by the model "tiny", which is at this path or URL. */
export async function computeFeatures(models) {
  Object.assign(env, { allowRemoteModels: false, allowLocalModels: true, localModelPath: models });
  const extract = await pipeline('feature-extraction', 'tiny', { dtype: 'fp32' });
  const sentences = ['The quick brown fox jumps over a lazy dog', 'a fox jumped'];
  const all = await extract(sentences);
  const pooled = await extract(sentences, { pooling: 'mean', normalize: true });
  await extract.dispose();
  return [...all.data, ...pooled.data];
}
