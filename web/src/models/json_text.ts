import { encodeString } from '../util/numbers.js';

/** Maximum nesting of JSON that the engine parses; the same as Json::kMaxDepth in cpp/model/files/json.h. */
export const kMaxDepth = 100;

export function nestedTooDeep(cause?: unknown): Error {
  return new Error(`the model is nested more than ${kMaxDepth} levels deep`, { cause });
}

/** Serializes a part of a model's file as UTF-8 JSON for the engine. Throws if it nests too deeply for the stack. */
export function jsonText(part: unknown): Uint8Array {
  try {
    return encodeString(JSON.stringify(part ?? null));
  } catch (error) {
    throw error instanceof RangeError ? nestedTooDeep(error) : error;
  }
}
