import { handleOf } from "../../identity/builders/builders.ts";
import { type Static, Type } from "@sinclair/typebox";
import { type Caller, requireBuilder } from "../../identity/access/caller.ts";
import { findBuilder } from "../../identity/builders/builders.ts";
import { AuthorView } from "../../identity/builders/author.ts";
import { foldUsername } from "../../identity/builders/username.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { Timestamp } from "../../base/view.ts";
import { unfollowEachOther } from "../following/following.ts";
import { deleteBlock, insertBlock, selectBlocked, selectBlocks, selectBlocksOf } from "./blocks-store.ts";
import { findRecipient } from "./messages-store.ts";

/** A builder whom the caller has blocked. */
export const BlockView = Type.Object(
  {
    ...AuthorView.properties,
    createdAt: Timestamp({ description: "The time at which you blocked the builder." }),
  },
  { $id: "Block" },
);

export interface Block extends Static<typeof BlockView> {
  builderId: string;
}

/**
 * Blocks a builder and returns the builder's id. The blocked builder can no longer write to the caller and is
 * not notified of the block. Follows between the two builders end. Existing messages are kept. Idempotent.
 * Needs `messages:write`. Throws not_found, and unprocessable for the caller's own account.
 */
export function block(core: Core, caller: Caller, username: string): string {
  const { builderId } = requireBuilder(caller, "messages:write");
  return core.db.transact(() => {
    const blockedId = idOf(core, username);
    if (blockedId === builderId) throw refuse("own_block");
    insertBlock(core, builderId, blockedId, core.clock.now());
    unfollowEachOther(core, builderId, blockedId);
    return blockedId;
  });
}

/** Removes a block, if any, and returns the builder's id. Needs `messages:write`. Throws not_found. */
export function unblock(core: Core, caller: Caller, username: string): string {
  const { builderId } = requireBuilder(caller, "messages:write");
  return core.db.transact(() => {
    const blockedId = idOf(core, username);
    deleteBlock(core, builderId, blockedId);
    return blockedId;
  });
}

/**
 * Returns the builders whom the caller has blocked, newest block first. Needs `messages:read`. Throws
 * bad_request for a cursor of another list.
 */
export function listBlocks(core: Core, caller: Caller, request: PageRequest): Page<Block> {
  const { builderId } = requireBuilder(caller, "messages:read");
  const scope = { list: "blocks", filters: { builderId } };
  const key = cursorKey(request, scope, isBlockKey);
  return pageOf(selectBlocks(core, builderId, request, key), request, scope, (one) => [
    one.createdAt,
    one.builderId,
  ]);
}

/** Returns the caller's blocks of these builders. Needs `messages:read`. */
export function getBlocks(core: Core, caller: Caller, ids: readonly string[]): Block[] {
  return selectBlocksOf(core, requireBuilder(caller, "messages:read").builderId, ids);
}

/** Whether the caller has blocked that builder. False for an unknown builder. Needs `messages:read`. */
export function hasBlocked(core: Core, caller: Caller, username: string): boolean {
  const { builderId } = requireBuilder(caller, "messages:read");
  return Boolean(findRecipient(core, builderId, handleOf(core, username))?.isBlocked);
}

/** Returns which of the builders the caller has blocked, with one query. Needs `messages:read`. */
export function blockedAmong(core: Core, caller: Caller, ids: readonly string[]): ReadonlySet<string> {
  return new Set(selectBlocked(core, requireBuilder(caller, "messages:read").builderId, ids));
}

function idOf(core: Core, username: string): string {
  const builder = findBuilder(core, foldUsername(username));
  if (!builder) throw refuse("builder_unknown");
  return builder.id;
}

function isBlockKey(key: readonly (string | number)[]): key is [number, string] {
  return key.length === 2 && typeof key[0] === "number" && isId("builder", key[1]);
}
