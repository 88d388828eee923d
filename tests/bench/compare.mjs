import { median } from './timing.mjs';

const kTolerance = 1e-3;
/** Name of lower_bound.mjs among the engines; it computes no results. */
export const kLowerBound = 'lower bound';

/** Returns the largest difference between two results, in units of the reference's root mean square. */
export function difference(values, reference) {
  if (values.length !== reference.length) return Infinity;
  let squares = 0;
  let worst = 0;
  for (let i = 0; i < reference.length; ++i) {
    squares += reference[i] ** 2;
    const distance = Math.abs(values[i] - reference[i]);
    // Written so that NaN counts as a difference, and stays one.
    if (!(distance <= worst)) worst = Number.isNaN(distance) ? Infinity : distance;
  }
  const scale = Math.sqrt(squares / reference.length);
  return scale > 0 && Number.isFinite(scale) ? worst / scale : Infinity;
}

/** Returns the engines whose results differ from the first peer's. */
export function mismatches(results) {
  const names = Object.keys(results).filter((name) => name !== kLowerBound);
  const reference = names.find((name) => name !== 'tenure') ?? names[0];
  return names
    .map((name) => ({ name, reference, by: difference(results[name], results[reference]) }))
    .filter(({ by }) => by > kTolerance);
}

/**
 * Returns Tenure's time as a fraction of a peer's; undefined if either is missing. The median of the ratios within each round,
 * because the machine's speed drifts from round to round, for all engines alike.
 */
export function partOf({ rounds, median: medians }, peer, own = 'tenure') {
  const { [own]: ours, [peer]: theirs } = rounds;
  if (ours && theirs) return median(ours.map((time, round) => time / theirs[round]));
  return medians[own] !== undefined && medians[peer] !== undefined ? medians[own] / medians[peer] : undefined;
}

/** Returns the peers that ran a row's workload. */
export const peersOf = ({ median: medians }) =>
  Object.keys(medians).filter((name) => !name.startsWith('tenure') && name !== kLowerBound);

/** Returns the best peer and its time as a multiple of Tenure's. */
export function ratioToBest(row) {
  const ratios = peersOf(row).map((peer) => ({ peer, ratio: 1 / partOf(row, peer) }));
  if (row.median.tenure === undefined || ratios.length === 0) return undefined;
  return ratios.reduce((best, candidate) => (candidate.ratio < best.ratio ? candidate : best));
}
