import type { Core } from "../../base/core.ts";
import { type Form, formOf, publishedSchema, toLine } from "./line-format.ts";
import type { Line } from "./entity.ts";
import { EXPORTED } from "./exported-tables.ts";
import { selectPeople, selectRows } from "./exporting-store.ts";

export { type Form } from "./line-format.ts";
export type { Line } from "./entity.ts";
export { NOT_EXPORTED } from "./not-exported.ts";
export { beginSnapshot, countRows, endSnapshot, selectSequences } from "./exporting-store.ts";

/** Every table that is exported, in the order in which it is written and read. */
export const FORMS: readonly Form[] = EXPORTED.map(formOf);

/** Tables of older versions. An import skips their files. */
export const FORMER_TABLES: readonly string[] = ["job_filter_anchors"];

/** So many rows are read at once. */
const PAGE = 500;

/** What is exported: a whole community, or what is one builder's, as they may see it themself. */
export interface Exported {
  /** The moment of the export: ms since the epoch. */
  at: number;
  builderId?: string | undefined;
}

/** One file of an export. */
export interface Part {
  name: string;
  /** The JSON Schema of a line. */
  schema: Line;
  /** To be read once, and before the parts behind it: a page of rows at a time is held, and no more. */
  lines: Generator<Line>;
}

/**
 * All that is exported, file by file. Of one builder also `people`: who is named in the rest, such as whom a
 * conversation was with. Asks no right: what calls it has. Whoever wants all of it of one moment puts it
 * between `beginSnapshot` and `endSnapshot`, on a connection of its own.
 */
export function* partsOf(core: Core, what: Exported): Generator<Part> {
  const named = new Set<string>();
  for (const form of FORMS) {
    if (what.builderId !== undefined && form.entity.whose === undefined) continue;
    const lines = linesOf(core, form, what);
    yield {
      name: form.name,
      schema: publishedSchema(form),
      lines: what.builderId === undefined ? lines : noting(lines, named),
    };
  }
  if (what.builderId !== undefined) yield { name: "people", schema: PEOPLE, lines: peopleOf(core, named) };
}

function* linesOf(core: Core, form: Form, { at, builderId }: Exported): Generator<Line> {
  const { entity } = form;
  for (const pass of entity.passes ?? [undefined]) {
    for (let after: unknown[] | undefined; ;) {
      const rows = selectRows(core, form, { pass, builderId, after, limit: PAGE });
      for (const row of rows) {
        const line = toLine(form, row);
        const left = entity.leaves?.(line, at) ?? line;
        yield builderId === undefined ? left : (entity.asShown?.(left, builderId) ?? left);
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) break;
      after = form.key.map((name) => last[name]);
    }
  }
}

/** An id tells nobody a name. */
function* noting(lines: Generator<Line>, named: Set<string>): Generator<Line> {
  for (const line of lines) {
    for (const value of Object.values(line))
      if (typeof value === "string" && /^builder_\w{26}$/.test(value)) named.add(value);
    yield line;
  }
}

const PEOPLE: Line = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "people",
  type: "object",
  required: ["id", "username", "name"],
  properties: Object.fromEntries(["id", "username", "name"].map((name) => [name, { type: "string" }])),
  additionalProperties: false,
};

function* peopleOf(core: Core, named: ReadonlySet<string>): Generator<Line> {
  const ids = [...named].sort();
  for (let from = 0; from < ids.length; from += PAGE)
    for (const { id, username, name } of selectPeople(core, ids.slice(from, from + PAGE)))
      yield { id, username, name };
}
