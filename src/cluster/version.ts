import type { Position } from "../core/base/db/lineage.ts";

/**
 * How far a node's database is. A node answers a read for a version seen elsewhere only if its own version is
 * at least that (docs/contract.md#12.28).
 */
export type Version = Pick<Position, "epoch" | "commits">;

/** Header in which clients receive the version and send it back. */
export const VERSION_HEADER = "guildhall-version";

/** Header in which a node tells another that it leads, and by which epoch. */
export const LEADS_HEADER = "guildhall-leads";

/** `3.10456` means epoch 3, after 10456 commits. */
export function formatVersion({ epoch, commits }: Version): string {
  return `${epoch}.${commits}`;
}

/** Returns undefined if the text is not a version. */
export function readVersion(text: string): Version | undefined {
  const [, epoch, commits] = /^([1-9]\d{0,8})\.(\d{1,15})$/.exec(text) ?? [];
  return epoch === undefined || commits === undefined
    ? undefined
    : { epoch: Number(epoch), commits: Number(commits) };
}

/**
 * Whether a client that has seen `asked` sees nothing older at `own`. Commits of an earlier leader that its
 * successor never had are lost, so no client waits for them.
 */
export function isAtLeast(own: Version, required: Version): boolean {
  return own.epoch > required.epoch || (own.epoch === required.epoch && own.commits >= required.commits);
}
