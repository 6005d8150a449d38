import type { Position } from "../core/base/db/lineage.ts";

/**
 * Position of a node's database. A client may have seen a version on another node. A node answers that
 * client's reads only if the node's own version is at least as new (docs/contract.md#12.28).
 */
export type Version = Pick<Position, "epoch" | "commits">;

/** Header in which clients receive the version and send it back. */
export const VERSION_HEADER = "guildhall-version";

/** Header in which a node tells another node that it leads, and in which epoch. */
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
 * Whether a node with the version `own` is new enough for a client that has seen the version `required`.
 * Commits that never reached the next leader are lost, so no client waits for such commits.
 */
export function isAtLeast(own: Version, required: Version): boolean {
  return own.epoch > required.epoch || (own.epoch === required.epoch && own.commits >= required.commits);
}
