import type { Core } from "../../base/core.ts";
import { type Form, formOf, publishedSchema, toLine } from "./line-format.ts";
import type { Line } from "./entity.ts";
import { EXPORTED } from "./exported-tables.ts";
import { selectPeople, selectRows } from "./exporting-store.ts";

export { type Form } from "./line-format.ts";
export type { Line } from "./entity.ts";
export { NOT_EXPORTED } from "./not-exported.ts";
export { beginSnapshot, countRows, endSnapshot, selectSequences } from "./exporting-store.ts";

/** The exported tables in the order of writing and reading. */
export const FORMS: readonly Form[] = EXPORTED.map(formOf);

/** Tables of older versions. An import skips their files. */
export const FORMER_TABLES: readonly string[] = ["job_filter_anchors"];

/** Rows per query. */
const PAGE = 500;

/** Scope of an export: the whole community, or the data that one builder may see. */
export interface Exported {
  /** Time of the export, in ms since the epoch. */
  at: number;
  builderId?: string | undefined;
}

/** One file of an export. */
export interface Part {
  name: string;
  /** The JSON Schema of a line. */
  schema: Line;
  /**
   * The lines of the file, read from the database one page at a time. Read this generator only once, and
   * before the next part.
   */
  lines: Generator<Line>;
}

/**
 * Yields the files of an export. The export of one builder also has the file `people`. This file lists the
 * members who are named in the other files, such as members of the same conversations. Checks no right. For a
 * consistent export, call it between `beginSnapshot` and `endSnapshot` on a separate connection.
 */
export function* partsOf(core: Core, what: Exported): Generator<Part> {
  const named = new Set<string>();
  for (const form of FORMS) {
    if (what.builderId !== undefined && form.entity.owner === undefined) continue;
    const lines = linesOf(core, form, what);
    yield {
      name: form.name,
      schema: publishedSchema(form),
      lines: what.builderId === undefined ? lines : collectBuilderIds(lines, named),
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
        const left = entity.transform?.(line, at, core) ?? line;
        yield builderId === undefined ? left : (entity.redact?.(left, builderId) ?? left);
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) break;
      after = form.key.map((name) => last[name]);
    }
  }
}

/**
 * Passes lines through and collects the builder ids in them. The export must contain the names of these
 * builders.
 */
function* collectBuilderIds(lines: Generator<Line>, named: Set<string>): Generator<Line> {
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
