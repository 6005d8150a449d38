import { type Caller, requireScope } from "../access/caller.ts";
import type { Core } from "../core.ts";
import { isId } from "../ids.ts";
import { cursorKey, type CursorKey, type Page, pageOf, type PageRequest } from "../page.ts";
import { selectPrompts } from "./prompts-store.ts";

export interface Prompt {
  id: string;
  title: string;
  body: string;
  model: string;
  category: string;
  /** The mean of the ratings 1–5, two decimals; 0 with none (§2: range 0 to 5). */
  score: number;
  author: { username: string };
}

/** A prompt with what places it in the list. */
export interface RankedPrompt extends Prompt {
  rank: number;
}

export interface PromptFilter {
  model?: string | undefined;
  category?: string | undefined;
  /** Only prompts whose shown score is at least this, 0 to 5. */
  minScore?: number | undefined;
}

/** Best first, then newest. Needs `prompts:read`. Throws bad_request for a cursor of another list. */
export function listPrompts(
  core: Core,
  caller: Caller,
  filter: PromptFilter,
  request: PageRequest,
): Page<RankedPrompt> {
  requireScope(caller, "prompts:read");
  const scope = { list: "prompts", filters: { ...filter } };
  const key = cursorKey(request, scope, isRankKey);
  const rows = selectPrompts(core, filter, key, request.limit + 1);
  return pageOf(rows, request, scope, (prompt) => [prompt.rank, prompt.id]);
}

function isRankKey(key: CursorKey): key is [number, string] {
  return key.length === 2 && typeof key[0] === "number" && isId("prompt", key[1]);
}
