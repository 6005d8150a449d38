import { getPosts } from "../../community/feed/feed.ts";
import { getJobs } from "../../community/jobs/jobs.ts";
import { getPrompts } from "../../community/prompts/prompts.ts";
import { listWorkspaces } from "../../delegation/workspaces/workspaces.ts";
import type { Caller } from "../../identity/access/caller.ts";
import type { SubjectType } from "../../identity/notifications/kinds.ts";
import type { Core } from "../../base/core.ts";
import { titleOf } from "../../base/title.ts";
import type { Notification } from "./notifications.ts";

/** Loads the titles of many subjects of one type, by id. */
const TITLES: Readonly<
  Partial<
    Record<SubjectType, (core: Core, caller: Caller, ids: readonly string[]) => readonly [string, string][]>
  >
> = {
  post: (core, caller, ids) => getPosts(core, caller, ids).map(({ id, text }) => [id, titleOf(text)]),
  prompt: (core, caller, ids) => getPrompts(core, caller, ids).map(({ id, title }) => [id, title]),
  job: (core, caller, ids) => getJobs(core, caller, ids).map(({ id, title }) => [id, title]),
  workspace: (core, caller) =>
    listWorkspaces(core, caller, caller.username).map(({ id, name }) => [id, name]),
};

/**
 * Returns the titles of the subjects of notifications, by id. Leaves out titles that the caller cannot see
 * with their scopes.
 */
export function titlesOf(
  core: Core,
  caller: Caller,
  notifications: readonly Pick<Notification, "subject">[],
): ReadonlyMap<string, string> {
  const byType = Map.groupBy(notifications, ({ subject }) => subject.type);
  return new Map(
    [...byType].flatMap(
      ([type, some]) =>
        TITLES[type]?.(
          core,
          caller,
          some.map(({ subject }) => subject.id),
        ) ?? [],
    ),
  );
}
