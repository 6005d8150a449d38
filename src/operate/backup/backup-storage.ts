import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DAY } from "../../core/base/clock.ts";
import {
  answered,
  type BucketAccess,
  bucketBackupFile,
  openBucket,
  type Patience,
  readAddress,
  asRefusal,
} from "./bucket.ts";
import { localBackupFile, type BackupFile } from "./backup-file.ts";
import { BackupRefused } from "./refused.ts";

/** Where scheduled backups are stored: a folder, or a prefix in a bucket. */
export interface BackupStore {
  fileNamed(name: string): BackupFile;
  /** Returns all names, including the names of files that are not backups. */
  list(): Promise<string[]>;
  remove(name: string): Promise<void>;
}

/** Throws BackupRefused if the folder does not exist. A missing folder may be a disk that is not mounted. */
export function openBackupStore(
  target: string,
  access: BucketAccess,
  now: number,
  patience?: Patience,
): BackupStore {
  const address = readAddress(target);
  return address ? bucketStore(address, access, patience) : folderStore(target, now);
}

function folderStore(folder: string, now: number): BackupStore {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new BackupRefused(`The backup folder ${folder} does not exist. Create it, or mount its disk.`);
  return {
    fileNamed: (name) => localBackupFile(join(folder, name)),
    async list() {
      const names = readdirSync(folder);
      // Removes partial files that were unchanged for a day. Killed backups left them.
      for (const name of names)
        if (
          name.startsWith("guildhall-") &&
          name.endsWith(".partial") &&
          isOlder(join(folder, name), now - DAY)
        )
          rmSync(join(folder, name), { force: true });
      return names;
    },
    async remove(name) {
      rmSync(join(folder, name));
    },
  };
}

function isOlder(file: string, than: number): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < than;
}

function bucketStore(
  { bucket, key }: { bucket: string; key: string },
  access: BucketAccess,
  patience: Patience | undefined,
): BackupStore {
  const client = openBucket(bucket, access);
  const prefix = key === "" || key.endsWith("/") ? key : `${key}/`;
  const ms = patience?.answerMs;
  const name = `s3://${bucket}/${prefix}`;
  return {
    fileNamed: (each) => bucketBackupFile(client, bucket, prefix + each, patience),
    async list() {
      const names: string[] = [];
      try {
        for (let after: string | undefined; ;) {
          const listing = client.list({ prefix, ...(after === undefined ? {} : { startAfter: after }) });
          const found = await answered(listing, { name, operation: "listed", ms });
          const keys = (found.contents ?? []).map((each) => each.key);
          names.push(...keys.map((each) => each.slice(prefix.length)));
          after = keys.at(-1);
          if (!found.isTruncated || after === undefined) return names;
        }
      } catch (error) {
        throw asRefusal(error, name, "listed");
      }
    },
    remove: (each) => answered(client.delete(prefix + each), { name: name + each, operation: "deleted", ms }),
  };
}
