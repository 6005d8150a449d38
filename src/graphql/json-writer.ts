import { isSpent, yieldToEvents } from "../http/scheduler.ts";

/** Number of characters that are encoded at a time. */
const PIECE_CHARACTERS = 64 * 1024;

/** Serializes a value as UTF-8 JSON, with pauses. Returns `undefined` if the result exceeds `most` bytes. */
export async function writeJson(value: object, most: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  let text = "";
  const cut = (): void => {
    const piece = Buffer.from(text);
    bytes += piece.length;
    pieces.push(piece);
    text = "";
  };
  for (const part of partsOf(Object.assign(Object.create(null), value))) {
    text += part;
    if (text.length < PIECE_CHARACTERS) continue;
    cut();
    if (bytes > most) return undefined;
    if (isSpent()) await yieldToEvents();
  }
  cut();
  return bytes > most ? undefined : Buffer.concat(pieces);
}

/**
 * Yields the JSON text of a value in parts. An object with only leaves is one part, and so is a value of the
 * JSON scalar. GraphQL objects have no prototype, so they can be distinguished from values of the JSON
 * scalar.
 */
function* partsOf(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    let separator = "[";
    for (const item of value) {
      yield separator;
      yield* partsOf(item);
      separator = ",";
    }
    yield separator === "[" ? "[]" : "]";
  } else if (isBranch(value)) {
    let separator = "{";
    for (const [name, part] of Object.entries(value)) {
      if (part === undefined) continue;
      yield `${separator}${JSON.stringify(name)}:`;
      yield* partsOf(part);
      separator = ",";
    }
    yield separator === "{" ? "{}" : "}";
  } else yield JSON.stringify(value) ?? "null";
}

function isBranch(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== null) return false;
  return Object.values(value).some((part) => typeof part === "object" && part !== null);
}
