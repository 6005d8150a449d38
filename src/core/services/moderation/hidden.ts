import { type Caller, requireModerator } from "../../identity/access/caller.ts";
import type { Core } from "../../base/core.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { selectHidden } from "./hidden-store.ts";
import { type Subject, subjectsOf } from "./subjects.ts";

/** A post, reply, job or prompt that moderators hid, with or without a report. */
export interface Hidden {
  subject: Subject;
  /** Milliseconds since the epoch. */
  hiddenAt: number;
}

/**
 * Lists everything that moderators hid. The content that was hidden last comes first. Allowed for moderators.
 * Throws bad_request for a cursor of another list.
 */
export function listHidden(core: Core, caller: Caller, request: PageRequest): Page<Hidden> {
  requireModerator(caller);
  const scope = { list: "hidden", filters: {} };
  const key = cursorKey(
    request,
    scope,
    (parts): parts is [number, string] =>
      parts.length === 2 && typeof parts[0] === "number" && typeof parts[1] === "string",
  );
  const rows = selectHidden(core, key && { hiddenAt: key[0], id: key[1] }, request);
  const subjects = subjectsOf(
    core,
    rows.map(({ id }) => id),
  );
  const hidden = rows.flatMap(({ id, hiddenAt }) => {
    const subject = subjects.get(id);
    return subject ? [{ subject, hiddenAt }] : [];
  });
  return pageOf(hidden, request, scope, ({ hiddenAt, subject }) => [hiddenAt, subject.id]);
}
