import { env, pipeline } from '@huggingface/transformers';

/** Folders of the models of a pipeline, and the classes of transformers. */
export const models = {
  tiny: 'BertModel',
  sentences: 'BertForSequenceClassification',
  words: 'BertForTokenClassification',
};

/** Returns the embeddings, the classes and the classes of the words of two sentences. The models are at this path or URL. */
export async function computeFeatures(place) {
  Object.assign(env, { allowRemoteModels: false, allowLocalModels: true, localModelPath: place });
  const sentences = ['The quick brown fox jumps over a lazy dog', 'a fox jumped'];
  const run = async (task, model, use) => {
    const compute = await pipeline(task, model, { dtype: 'fp32' });
    const numbers = await use(compute);
    await compute.dispose();
    return numbers;
  };
  return [
    ...(await run('feature-extraction', 'tiny', async (extract) => {
      const all = await extract(sentences);
      const pooled = await extract(sentences, { pooling: 'mean', normalize: true });
      return [...all.data, ...pooled.data];
    })),
    ...(await run('text-classification', 'sentences', async (classify) => {
      const found = await classify(sentences, { top_k: 3 });
      return found.flat().flatMap(({ label, score }) => [label.length, score]);
    })),
    ...(await run('token-classification', 'words', async (classify) => {
      const found = await classify(sentences, { ignore_labels: [] });
      return found.flat().flatMap(({ entity, score, index }) => [entity.length, score, index]);
    })),
  ];
}
