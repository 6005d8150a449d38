/** Returns a count with its noun: `1 post`, `1,200 posts`, `1 delivery`, `2 deliveries`, `2 days`. */
export function countWithNoun(count: number, noun: string): string {
  const words = count === 1 ? noun : `${noun}s`.replace(/([^aeiou])ys$/, "$1ies");
  return `${count.toLocaleString("en-US")} ${words}`;
}
