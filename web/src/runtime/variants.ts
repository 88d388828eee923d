import { canShareMemory } from './shared_memory.js';
import { plannedThreads } from './thread_count.js';

/** The engines of a build, by what they need besides SIMD; each lies in files of its own. */
export const kVariants = ['', 'relaxed', 'threads', 'relaxed-threads'] as const;
export type Variant = (typeof kVariants)[number];

/** The variants that this build has files of. */
export const kBuilt: readonly Variant[] = __VARIANTS__;

let current: Variant = '';
let allowsRelaxed = true;

/** A function of one relaxed_madd. */
const kRelaxedMadd = Uint8Array.of(
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 8, 1, 0x60, 3, 0x7b, 0x7b, 0x7b, 1, 0x7b, 3, 2, 1, 0],
  ...[10, 13, 1, 11, 0, 0x20, 0, 0x20, 1, 0x20, 2, 0xfd, 0x85, 2, 0x0b],
);

/** Whether WebAssembly here has relaxed SIMD: Chrome and Edge 114, Firefox 145, Node 22, or newer. */
export const hasRelaxedSimd = (): boolean => WebAssembly.validate(kRelaxedMadd);

/** Which engine is there, or is to be loaded. */
export const variant = (): Variant => current;

/** From now on it is this one. */
export function setVariant(next: Variant): void {
  current = next;
}

/** From now on relaxed SIMD is made use of where it is, or never. */
export function allowRelaxedSimd(isAllowed: boolean): void {
  allowsRelaxed = isAllowed;
}

/** Chooses the fastest of the engines that can run here, and that `isThere` knows. */
export function chooseVariant(isThere: (variant: Variant) => boolean): void {
  const relaxed = allowsRelaxed && hasRelaxedSimd();
  const threads = plannedThreads() > 1 && canShareMemory();
  const runs = (name: Variant) => (relaxed || !name.includes('relaxed')) && (threads || !name.includes('threads'));
  // Threads gain more, where they are to be had.
  const byGain: Variant[] = ['relaxed-threads', 'threads', 'relaxed'];
  current = byGain.find((name) => kBuilt.includes(name) && runs(name) && isThere(name)) ?? '';
}

/** The name of a file of the engine as one of the variants has it. */
export function named(file: string, of: Variant = current): string {
  return of ? file.replace('tenure.', `tenure.${of}.`) : file;
}
