import type { ObjectFieldsShape } from "@pothos/core";
import type { TObject } from "@sinclair/typebox";
import type { Core } from "../../core/base/core.ts";
import type { Caller } from "../../core/identity/access/caller.ts";
import { type DerivedKind, derivedId, type IdParts } from "../derived-ids.ts";
import { addDerivedNode } from "../nodes.ts";
import { output, type Types } from "../outputs.ts";

interface Derived<Thing extends object> {
  description: string;
  kind: DerivedKind;
  /** Returns the values that identify the object. The derived id consists of these values. */
  partsOf(thing: Thing, caller: Caller): IdParts;
  /** Reads the objects that the caller may see. */
  many(core: Core, caller: Caller, parts: readonly IdParts[]): readonly Thing[];
  out?: readonly string[];
  fields?: ObjectFieldsShape<Types, Thing>;
}

/** Defines a view as a Node with a derived id. */
export function derivedNode<Thing extends object>(
  name: string,
  view: TObject,
  { description, kind, partsOf, many, out = [], fields }: Derived<Thing>,
) {
  const idOf = (thing: Thing, caller: Caller): string => derivedId(kind, ...partsOf(thing, caller));
  addDerivedNode(kind, name, many, idOf);
  return output<Thing>(name, view, description, {
    out,
    isNode: true,
    fields: (t) => ({
      id: t.id({
        description: "The identifier. It exists only in GraphQL, not in REST.",
        resolve: (thing, _, { caller }) => idOf(thing as Thing, caller),
      }),
      ...fields?.(t),
    }),
  });
}

/**
 * Returns the names in derived ids of the caller's own objects. The owner in the ids is ignored, and all
 * names are looked up among the caller's objects. An object of another owner is still not found. The object
 * that is read has the caller's id in its derived id, so its id differs from the requested id.
 */
export function namesOf(parts: readonly IdParts[]): string[] {
  return parts.map(([, name]) => name);
}
