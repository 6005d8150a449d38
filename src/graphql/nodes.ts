import type { Caller } from "../core/identity/access/caller.ts";
import type { Core } from "../core/base/core.ts";
import { type IdKind, isId, kindOf } from "../core/base/ids.ts";
import { byId } from "./batch.ts";
import type { GraphContext } from "./context.ts";
import { type DerivedKind, type IdParts, parseDerivedId } from "./derived-ids.ts";

/**
 * Reads many nodes by id, with the same permission checks as REST. Omits nodes that the caller cannot see.
 */
export type ReadMany = (core: Core, caller: Caller, ids: readonly string[]) => readonly { id: string }[];

/** Node types by id prefix. Each type registers itself with `addNode` or `addDerivedNode`. */
const kinds = new Map<string, { type: string; read: ReadMany; hasId: (id: string) => boolean }>();

export function addNode(kind: IdKind, type: string, read: ReadMany): void {
  kinds.set(kind, { type, read, hasId: (id) => isId(kind, id) });
}

/** Registers a node type with derived ids. `read` may return nodes in any order. */
export function addDerivedNode<Thing extends object>(
  kind: DerivedKind,
  type: string,
  read: (core: Core, caller: Caller, parts: readonly IdParts[]) => readonly Thing[],
  idOf: (row: Thing, caller: Caller) => string,
): void {
  kinds.set(kind, {
    type,
    hasId: (id) => parseDerivedId(kind, id) !== undefined,
    read: (core, caller, ids) =>
      read(
        core,
        caller,
        ids.flatMap((id) => {
          const parts = parseDerivedId(kind, id);
          return parts ? [parts] : [];
        }),
      ).map((row) => ({ ...row, id: idOf(row, caller) })),
  });
}

/** Returns the node type for the prefix of an id (docs/contract.md#8.12). */
export function typeOfId(id: string): string | undefined {
  return kinds.get(kindOf(id))?.type;
}

/**
 * Reads a node in one batch with other nodes of its kind. Returns null for an id that is unknown, forged or
 * not visible to the caller. The caller cannot distinguish the three cases (docs/threats.md#G09).
 */
export async function nodeOf<Thing extends { id: string }>(
  { core, caller, batch }: GraphContext,
  id: string | null,
): Promise<Thing | null> {
  const kind = id === null ? "" : kindOf(id);
  const found = kinds.get(kind);
  if (id === null || !found?.hasId(id)) return null;
  const read = (ids: readonly string[]) => byId(found.read(core, caller, ids)) as ReadonlyMap<string, Thing>;
  return (await batch(`nodes ${kind}`, id, read)) ?? null;
}

/**
 * Whether the set that `among` returns contains the id. One call of `among` checks all ids of the same tick.
 */
export async function isInSet(
  { core, caller, batch }: GraphContext,
  name: string,
  id: string,
  among: (core: Core, caller: Caller, ids: readonly string[]) => Iterable<string>,
): Promise<boolean> {
  const found = await batch(
    name,
    id,
    (ids) => new Map(Array.from(among(core, caller, ids), (one) => [one, true])),
  );
  return found ?? false;
}
