import { canShareMemory } from './shared_memory.js';
import { getPlannedThreads } from './thread_count.js';

/** The engine variants of a build. The names are the features that they need besides SIMD. Each variant has its own files. */
export const kVariants = ['', 'relaxed', 'threads', 'relaxed-threads'] as const;
export type Variant = (typeof kVariants)[number];

/** The variants that this build has files of. */
export const kBuiltVariants: readonly Variant[] = __VARIANTS__;

let current: Variant = '';
let allowsRelaxedSimd = true;

/** A module whose one function executes f32x4.relaxed_madd. */
const kRelaxedMadd = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 8, 1, 0x60, 3, 0x7b, 0x7b, 0x7b, 1, 0x7b, 3, 2, 1, 0],
  ...[10, 13, 1, 11, 0, 0x20, 0, 0x20, 1, 0x20, 2, 0xfd, 0x85, 2, 0x0b],
);

/** True if WebAssembly here has relaxed SIMD: in Chrome and Edge 114, Firefox 145, Node 22, or newer. */
export const hasRelaxedSimd = (): boolean => WebAssembly.validate(kRelaxedMadd);

/** Returns the variant that is loaded, or that is to be loaded. */
export const variant = (): Variant => current;

/** Sets the variant that is to be loaded. */
export function setVariant(next: Variant): void {
  current = next;
}

/** Allows or forbids variants with relaxed SIMD. */
export function allowRelaxedSimd(isAllowed: boolean): void {
  allowsRelaxedSimd = isAllowed;
}

/** Chooses the fastest variant that can run here and for which `isAvailable` returns true. */
export function chooseVariant(isAvailable: (variant: Variant) => boolean): void {
  const relaxed = allowsRelaxedSimd && hasRelaxedSimd();
  const threads = getPlannedThreads() > 1 && canShareMemory();
  const runs = (name: Variant) => (relaxed || !name.includes('relaxed')) && (threads || !name.includes('threads'));
  // The fastest first: threads gain more than relaxed SIMD.
  const byGain: Variant[] = ['relaxed-threads', 'threads', 'relaxed'];
  current = byGain.find((name) => kBuiltVariants.includes(name) && runs(name) && isAvailable(name)) ?? '';
}

/** Returns the name of an engine's file in a variant: 'tenure.graph.wasm' is 'tenure.relaxed.graph.wasm' in 'relaxed'. */
export function variantFileName(file: string, of: Variant = current): string {
  return of ? file.replace('tenure.', `tenure.${of}.`) : file;
}
