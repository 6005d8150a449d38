/*
 * Ids of things that have none in REST: a prefix, and what names the thing there. The first part of what is
 * someone's own is whose it is, so that an id is unique in the whole graph.
 */

/** Their prefixes. */
export type DerivedKind = "blk" | "ftg" | "mch" | "fnd";
export type IdParts = readonly [string, string];

export function derivedId(kind: DerivedKind, ...parts: IdParts): string {
  return `${kind}_${Buffer.from(JSON.stringify(parts)).toString("base64url")}`;
}

/** Parses a derived id; undefined for one that `derivedId` does not write. */
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
