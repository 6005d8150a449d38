/*
 * Ids of objects that have no id in REST. A derived id consists of a prefix and the values that identify the
 * object. For personal objects the first value is the owner's id, so that ids are unique across the graph.
 */

/** Prefixes of derived ids. */
export type DerivedKind = "blk" | "ftg" | "mch" | "fnd";
export type IdParts = readonly [string, string];

export function derivedId(kind: DerivedKind, ...parts: IdParts): string {
  return `${kind}_${Buffer.from(JSON.stringify(parts)).toString("base64url")}`;
}

/** Parses a derived id. Returns `undefined` for text that `derivedId` cannot have produced. */
export function parseDerivedId(kind: DerivedKind, id: string): IdParts | undefined {
  const parts = parsed(Buffer.from(id.slice(kind.length + 1), "base64url").toString());
  return parts && derivedId(kind, ...parts) === id ? parts : undefined;
}

function parsed(text: string): IdParts | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isPair =
      Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "string");
    return isPair ? (value as unknown as IdParts) : undefined;
  } catch {
    return undefined;
  }
}
