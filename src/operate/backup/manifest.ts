import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { BackupRefused } from "./refused.ts";

/** Archive format that this program writes, and the newest format that this program reads. */
export const ARCHIVE_FORMAT = 2;
/** Formats that this program reads. Format 1 had no pictures. */
const FORMATS: readonly number[] = [1, ARCHIVE_FORMAT];

/** Members of an archive after the manifest, in this order. */
export const DATABASE_MEMBER = "guildhall.db";
export const KEY_MEMBER = "guildhall.key";
const MEMBERS: readonly string[] = [DATABASE_MEMBER, KEY_MEMBER];

const Bytes = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Line = Type.String({ maxLength: 100, pattern: "^[^\\x00-\\x1f\\x7f]*$" });

const MemberFile = Type.Object({ name: Line, bytes: Bytes, sha256: Hash });
const ManifestFile = Type.Object({
  format: Type.Integer(),
  /** Version of the program that wrote the archive. `schema` is the version of the tables. */
  program: Line,
  schema: Type.Integer({ minimum: 0 }),
  created_at: Line,
  files: Type.Array(MemberFile, { minItems: 1, maxItems: 10 }),
  /** Number and total size of the pictures, which follow the listed files in the archive. */
  media: Type.Optional(Type.Object({ files: Bytes, bytes: Bytes })),
  rows: Type.Record(Type.String({ maxLength: 100 }), Bytes),
  /** Id of the newest event, which is its position in the log. Null if there is none. */
  newest_event: Type.Union([Line, Type.Null()]),
  /** Fingerprint of the key that seals the database, never the key itself. Null if no key was found. */
  key: Type.Union([Line, Type.Null()]),
});

/** A file of an archive, as its manifest lists it. */
export type Member = Static<typeof MemberFile>;
export type Manifest = Static<typeof ManifestFile>;

export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** Throws BackupRefused if the text is not a manifest, has a newer format, or lists an unknown member. */
export function readManifest(text: string): Manifest {
  const value = parsed(text);
  const said = typeof value === "object" && value !== null && "format" in value ? value.format : undefined;
  const format = typeof said === "number" ? said : undefined;
  if (format !== undefined && format > ARCHIVE_FORMAT)
    throw new BackupRefused(
      `The backup has format ${format}, but this program reads up to ${ARCHIVE_FORMAT}. Use the Guildhall version that made it, or a later one.`,
    );
  if (!Value.Check(ManifestFile, value) || !FORMATS.includes(format ?? 0)) throw noManifest();
  const names = value.files.map(({ name }) => name);
  const foreign = names.find((name) => !MEMBERS.includes(name));
  if (foreign !== undefined) throw unexpected(foreign);
  if (names[0] !== DATABASE_MEMBER || new Set(names).size !== names.length) throw noManifest();
  return value;
}

/** Whether an archive member is a picture, by its name. Pictures have the same names in a data folder. */
export function isPicture(name: string): boolean {
  return /^media\/([0-9a-f]{2})\/\1[0-9a-f]{38}-\d{1,4}\.webp$/.test(name);
}

/** Returns the total size of the contents of an archive. */
export function bytesIn({ files, media }: Manifest): number {
  return files.reduce((sum, { bytes }) => sum + bytes, media?.bytes ?? 0);
}

export function unexpected(name: string): BackupRefused {
  return new BackupRefused(
    `The backup contains ${JSON.stringify(name.slice(0, 100))}, which does not belong in a Guildhall backup.`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw noManifest();
  }
}

function noManifest(): BackupRefused {
  return new BackupRefused("The backup has no manifest: it is damaged, or not a Guildhall backup.");
}
