/**
 * A part of a template in data/seed: a text, or a slot with alternatives. src/demo/grammar.ts describes the
 * templates.
 */
type Part = string | Part[][];

/**
 * Returns texts that a template can produce, as many as its longest list of alternatives has items.
 * References are kept as `{name}`.
 */
export function wordingsOf(template: string): string[] {
  const reader = { text: template, at: 0 };
  const parts = sequence(reader, false);
  return Array.from({ length: longest(parts) }, (_, round) => written(parts, round));
}

function sequence(reader: { text: string; at: number }, isInside: boolean): Part[] {
  const parts: Part[] = [];
  let depth = 0;
  for (; reader.at < reader.text.length; reader.at++) {
    const sign = reader.text[reader.at] ?? "";
    if (isInside && depth === 0 && (sign === "|" || sign === "}")) break;
    if (sign === "{" && !/^[\s{}"':%]?$/.test(reader.text[reader.at + 1] ?? "")) {
      parts.push(slot(reader));
      continue;
    }
    if (sign === "{") depth++;
    if (sign === "}") depth--;
    parts.push(sign);
  }
  return parts;
}

/** Parses a slot and stops at its closing brace. */
function slot(reader: { text: string; at: number }): Part {
  const options: Part[][] = [];
  do {
    reader.at++;
    options.push(sequence(reader, true));
  } while (reader.text[reader.at] === "|");
  const [only = []] = options;
  return options.length > 1 ? options : `{${only.join("")}}`;
}

function longest(parts: readonly Part[]): number {
  return Math.max(
    1,
    ...parts.map((part) => (typeof part === "string" ? 1 : Math.max(part.length, ...part.map(longest)))),
  );
}

function written(parts: readonly Part[], round: number): string {
  return parts
    .map((part) => (typeof part === "string" ? part : written(part[round % part.length] ?? [], round)))
    .join("");
}

/** Properties that contain code, file names or parts of URLs instead of prose. */
const NO_PROSE = new Set(["code", "cmd", "runner", "slug", "tags", "stacks", "currency", "models"]);

/** Yields every prose string of a seed file with its path, such as `lesson.3`. */
export function* stringsIn(
  value: unknown,
  path: readonly string[] = [],
): Iterable<[path: string, text: string]> {
  if (typeof value === "string") yield [path.join("."), value];
  else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value))
      if (!NO_PROSE.has(key)) yield* stringsIn(inner, [...path, key]);
  }
}
