import type { Core } from "../../base/core.ts";
import { hidePost, unhidePost } from "../../community/feed/removal.ts";
import { hideJob, unhideJob } from "../../community/jobs/board.ts";
import { hidePrompt, unhidePrompt } from "../../community/prompts/removal.ts";
import { withdrawSubject } from "../../community/xp/xp.ts";
import type { ContentKind } from "./subjects.ts";

/** Functions that hide and restore each kind of content. Both functions are idempotent. */
export const HIDING: Readonly<
  Record<ContentKind, Record<"hide" | "restore", (core: Core, id: string) => boolean>>
> = {
  post: { hide: hidePost, restore: unhidePost },
  job: { hide: hideJob, restore: unhideJob },
  prompt: { hide: hidePrompt, restore: unhidePrompt },
};

/** Hides content and withdraws its XP. The reports about it stay as they are. */
export function hideKeepingReports(core: Core, { type, id }: { type: ContentKind; id: string }): void {
  HIDING[type].hide(core, id);
  withdrawSubject(core, id, "hidden");
}
