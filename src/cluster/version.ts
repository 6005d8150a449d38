import type { Position } from "../core/base/db/lineage.ts";

/**
 * How far a node's database is. A node answers a read that was made at some version elsewhere only where its
 * own is at least that (docs/contract.md#12.28).
 */
export type Version = Pick<Position, "epoch" | "commits">;

/** What programs are told it by, and send it back with. */
export const VERSION_HEADER = "guildhall-version";

/** Where a node says to another that it leads, and by which epoch. */
export const LEADS_HEADER = "guildhall-leads";

/** `3.10456`: the third leader's, and the commits that there were by then. */
export function showVersion({ epoch, commits }: Version): string {
  return `${epoch}.${commits}`;
}

/** Undefined for what is none. */
export function readVersion(text: string): Version | undefined {
  const [, epoch, commits] = /^([1-9]\d{0,8})\.(\d{1,15})$/.exec(text) ?? [];
  return epoch === undefined || commits === undefined
    ? undefined
    : { epoch: Number(epoch), commits: Number(commits) };
}

/**
 * Whether whoever has seen `asked` sees nothing older at `own`. Commits of an earlier leader that its
 * successor never had are lost: nobody waits for them.
 */
export function isAtLeast(own: Version, asked: Version): boolean {
  return own.epoch > asked.epoch || (own.epoch === asked.epoch && own.commits >= asked.commits);
}
