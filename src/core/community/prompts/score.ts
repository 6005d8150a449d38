/** What every prompt is given to begin with: five ratings of 3.0, so that one vote does not outrank forty. */
const PRIOR = { count: 5, mean: 3 };

/** What people see: the mean, two decimals; 0 with no rating. */
export function scoreOf(sum: number, count: number): number {
  // Multiplied before it is divided: 41 / 40 is 1.025, but a binary fraction holds that a little too small to
  // go up.
  return count === 0 ? 0 : Math.round((sum * 100) / count) / 100;
}

/** What orders the list: the Bayesian mean. */
export function rankOf(sum: number, count: number): number {
  return (PRIOR.count * PRIOR.mean + sum) / (PRIOR.count + count);
}
