/**
 * Prior of the Bayesian mean: five ratings of 3.0. The prior prevents a prompt with a single rating from
 * outranking a prompt with forty ratings.
 */
const PRIOR = { count: 5, mean: 3 };

/** Returns the displayed score: the mean with two decimals, or 0 without ratings. */
export function scoreOf(sum: number, count: number): number {
  // Multiplying before dividing avoids a rounding error. For example, 41 / 40 is 1.025. The binary fraction
  // of this number would round down.
  return count === 0 ? 0 : Math.round((sum * 100) / count) / 100;
}

/** Returns the Bayesian mean, which is the sort key of the list. */
export function rankOf(sum: number, count: number): number {
  return (PRIOR.count * PRIOR.mean + sum) / (PRIOR.count + count);
}
