/** Returns the name that differs least from a mistyped one. */
export function nearest(name: string, names: Iterable<string>): string {
  const [found = ""] = [...names].sort((a, b) => distance(a, name) - distance(b, name));
  return found;
}

/** Levenshtein distance: the number of letters to insert, delete or change. Ignores case. */
function distance(from: string, to: string): number {
  const [a, b] = [from.toUpperCase(), to.toUpperCase()];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(changed, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
  }
  return row[b.length] ?? 0;
}
