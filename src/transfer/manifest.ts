import { type Static, Type } from "@sinclair/typebox";
import { check, Choice, ruled, Text, WholeNumber, PatternText } from "../core/base/check.ts";

/** Incremented when older programs can no longer read an export. */
export const FORMAT = 1;
export const MANIFEST = "manifest.json";

const Count = WholeNumber(0, Number.MAX_SAFE_INTEGER);
const Moment = PatternText("^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$", ruled("not_moment"));

/** A file of an export. To edit the file by hand, remove `bytes` and `sha256`. */
const FileEntry = Type.Object(
  {
    rows: Count,
    bytes: Type.Optional(Count),
    sha256: Type.Optional(PatternText("^[0-9a-f]{64}$", ruled("not_valid"))),
  },
  { additionalProperties: false },
);
export type FileEntry = Static<typeof FileEntry>;

/** Describes an export: its origin, its time and its files. */
const Manifest = Type.Object({
  guildhall: Choice(["export"]),
  format: WholeNumber(1, 1_000_000),
  /** Version of the program. `schema` is the number of migrations of its database. */
  program: Text({ max: 100 }),
  schema: WholeNumber(1, 1_000_000),
  exported_at: Moment,
  origin: Text({ max: 2048 }),
  of: Choice(["community", "builder"]),
  builder: Type.Optional(Type.Object({ id: Text({ max: 40 }), username: Text({ max: 32 }) })),
  /**
   * Steady time at the export (docs/adr/0020-steady-time.md). The due times of deliveries are on this clock.
   */
  steady_time: Moment,
  /** Last values of auto-increment counters. */
  sequences: Type.Record(Type.String({ maxLength: 50 }), WholeNumber(0, 2 ** 40)),
  files: Type.Record(Type.String({ maxLength: 50 }), FileEntry),
  /** Number and total size of the picture files in the folder `media`. */
  media: Type.Optional(Type.Object({ files: Count, bytes: Count })),
  left_behind: Type.Record(Type.String({ maxLength: 50 }), Text({ max: 500 })),
});
export type Manifest = Static<typeof Manifest>;

/** Throws the core's refusal, which names the field. */
export function checkManifest(value: unknown): Manifest {
  return check(Manifest, value);
}

export function fileOf(name: string): string {
  return `${name}.ndjson`;
}

export function schemaFileOf(name: string): string {
  return `${name}.schema.json`;
}
