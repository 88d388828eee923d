import { encodeString } from '../util/numbers.js';

/** As deep as the engine reads: as cpp/model/files/json.h has it. */
export const kMaxDepth = 100;

export function nestedTooDeep(cause?: unknown): Error {
  return new Error(`the model is nested more than ${kMaxDepth} levels deep`, { cause });
}

/** A part of a model's file as JSON, for the engine. Throws for one that nests deeper than the stack has room for. */
export function jsonText(part: unknown): Uint8Array {
  try {
    return encodeString(JSON.stringify(part ?? null));
  } catch (error) {
    throw error instanceof RangeError ? nestedTooDeep(error) : error;
  }
}
