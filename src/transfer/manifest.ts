import { type Static, Type } from "@sinclair/typebox";
import { check, Choice, ruled, Text, Whole, Word } from "../core/base/check.ts";

/** Grows where what is written could not be read as it was before. */
export const FORMAT = 1;
export const MANIFEST = "manifest.json";

const Count = Whole(0, Number.MAX_SAFE_INTEGER);
const Moment = Word("^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$", ruled("not_moment"));

/** A file of an export. Who changes one on purpose takes `bytes` and `sha256` out. */
const FileEntry = Type.Object(
  {
    rows: Count,
    bytes: Type.Optional(Count),
    sha256: Type.Optional(Word("^[0-9a-f]{64}$", ruled("not_valid"))),
  },
  { additionalProperties: false },
);
export type FileEntry = Static<typeof FileEntry>;

/** What stands beside the files of an export: of whom, of when, and what they hold. */
const Manifest = Type.Object({
  guildhall: Choice(["export"]),
  format: Whole(1, 1_000_000),
  /** The version of the program, and how many migrations its database had. */
  program: Text({ max: 100 }),
  schema: Whole(1, 1_000_000),
  exported_at: Moment,
  origin: Text({ max: 2048 }),
  of: Choice(["community", "builder"]),
  builder: Type.Optional(Type.Object({ id: Text({ max: 40 }), username: Text({ max: 32 }) })),
  /** Where the steady time stood then (docs/adr/0020-steady-time.md): deliveries are due by it. */
  steady_time: Moment,
  /** The last numbers of rows that are counted up. */
  sequences: Type.Record(Type.String({ maxLength: 50 }), Whole(0, 2 ** 40)),
  files: Type.Record(Type.String({ maxLength: 50 }), FileEntry),
  /** The files of pictures, in the folder `media`: how many, and how large all of them are. */
  media: Type.Optional(Type.Object({ files: Count, bytes: Count })),
  left_behind: Type.Record(Type.String({ maxLength: 50 }), Text({ max: 500 })),
});
export type Manifest = Static<typeof Manifest>;

/** Throws the core's refusal, which names the field. */
export function checkManifest(value: unknown): Manifest {
  return check(Manifest, value);
}

/** Of one part of an export. */
export function fileOf(name: string): string {
  return `${name}.ndjson`;
}

export function schemaFileOf(name: string): string {
  return `${name}.schema.json`;
}
