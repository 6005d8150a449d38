/** `1 builder`, `2 builders`: of a noun whose plural ends in s. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
