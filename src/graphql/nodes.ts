import type { Caller } from "../core/identity/access/caller.ts";
import type { Core } from "../core/ground/core.ts";
import { type IdKind, isId, kindOf } from "../core/ground/ids.ts";
import { byId } from "./batch.ts";
import type { GraphContext } from "./context.ts";

/** Reads many at once, by their own operation and its scope; what the caller cannot see is left out. */
export type ReadMany = (core: Core, caller: Caller, ids: readonly string[]) => readonly { id: string }[];

/** What can be asked for by its id alone, by the prefix of its ids; each type says its own. */
const kinds = new Map<string, { type: string; read: ReadMany }>();

export function addNode(kind: IdKind, type: string, read: ReadMany): void {
  kinds.set(kind, { type, read });
}

/** The type that an id's prefix tells: a REST id is a global id as it is (docs/contract.md#8.12). */
export function typeOfId(id: string): string | undefined {
  return kinds.get(kindOf(id))?.type;
}

/**
 * A node; null for an id that is unknown, forged or of something that is not the caller's to see: the three
 * look the same (docs/threats.md#G09).
 */
export async function nodeOf(context: GraphContext, id: string): Promise<{ id: string } | undefined> {
  const kind = kindOf(id);
  const found = kinds.get(kind);
  if (!found || !isId(kind as IdKind, id)) return undefined;
  const { core, caller, batch } = context;
  return batch(`nodes ${kind}`, id, (ids) => byId(found.read(core, caller, ids)));
}
