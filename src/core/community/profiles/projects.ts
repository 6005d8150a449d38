import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { type Caller, requireBuilder, requireScope } from "../../identity/access/caller.ts";
import { type LinkingText, spendLinks } from "../../identity/newcomers/newcomers.ts";
import { HttpsUrl, type Ruled, ruledOrNull, Text, URL_MAX } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { type CoreError, refuse } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { cursorKey, type Page, pageOf, type PageRequest } from "../../base/page.ts";
import { Id, orNull, DisplayText, Timestamp } from "../../base/view.ts";
import {
  countProjects,
  deleteProjectRow,
  findProject,
  insertProjects,
  selectProjects,
  selectProjectsById,
  updateProject,
} from "./projects-store.ts";

export const ProjectView = Type.Object(
  {
    id: Id("prj_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the project."),
    title: DisplayText("The title of the project.", "tinyqueue"),
    url: orNull(Type.String({ format: "uri" }), {
      description: "The URL of the project. `null` if there is none.",
      examples: ["https://tinyqueue.example.com"],
    }),
    description: orNull(Type.String(), {
      description: "The description in Markdown. `null` if there is none.",
      examples: ["A queue that fits in one file."],
    }),
    createdAt: Timestamp({ description: "The time at which the project was added." }),
  },
  { $id: "Project" },
);
export type Project = Static<typeof ProjectView>;

const title = Text({
  max: 200,
  visible: true,
  line: true,
  description: "The title of the project.",
  examples: ["tinyqueue"],
});
const url = optional(HttpsUrl(), {
  description: "The URL of the project. `null` if there is none.",
  examples: ["https://tinyqueue.example.com"],
  ...ruledOrNull("not_https_url", { max: URL_MAX }),
});
const description = optional(Text({ max: 1000, visible: true }), {
  description: "The description in Markdown. Its length is counted in Unicode code points.",
  examples: ["A queue that fits in one file."],
  ...ruledOrNull("not_text", { min: 1, max: 1000 }),
  rule: "must be non-blank text of 1 to 1,000 characters, or null",
});

export const ProjectDraft = Type.Object({ title, url, description });
export type ProjectDraft = Static<typeof ProjectDraft>;

/** A change to a project. Omitted fields are unchanged. Null clears a field. */
export const ProjectChange = Type.Object({ title: Type.Optional(title), url, description });
export type ProjectChange = Static<typeof ProjectChange>;

/** Maximum number of projects of a builder. The limit exists because a profile shows all projects. */
export const PROJECTS_MAX = 50;

/**
 * Returns the caller's own projects, newest first. Needs `profile:read`. Throws bad_request for a cursor of
 * another list.
 */
export function listProjects(core: Core, caller: Caller, request: PageRequest): Page<Project> {
  const { builderId } = requireBuilder(caller, "profile:read");
  const scope = { list: "projects", filters: { builderId } };
  const key = cursorKey(
    request,
    scope,
    (parts): parts is [string] => parts.length === 1 && isId("prj", parts[0]),
  );
  return pageOf(selectProjects(core, builderId, request, key?.[0]), request, scope, ({ id }) => [id]);
}

/**
 * Returns one of the caller's own projects. Needs `profile:read`. Throws not_found, also for another member's
 * project.
 */
export function getProject(core: Core, caller: Caller, id: string): Project {
  const { builderId } = requireBuilder(caller, "profile:read");
  const project = findProject(core, builderId, id);
  if (!project) throw noProject();
  return project;
}

/** Returns projects of any builder by id. Leaves out unknown ids. Needs `profile:read`. */
export function getProjects(core: Core, caller: Caller, ids: readonly string[]): Project[] {
  requireScope(caller, "profile:read");
  return selectProjectsById(core, ids);
}

/**
 * Adds a project to the caller's profile. Needs `profile:write`. Throws conflict if the profile already has
 * `PROJECTS_MAX` projects, and the refusals of `spendLinks` for a new member.
 */
export function addProject(core: Core, caller: Caller, draft: ProjectDraft): Project {
  const { builderId } = requireBuilder(caller, "profile:write");
  return core.db.transact(() => {
    if (countProjects(core, builderId) >= PROJECTS_MAX)
      throw refuse("projects_too_many", { max: PROJECTS_MAX });
    const createdAt = core.clock.now();
    const project: Project = {
      id: core.makeId("prj", createdAt),
      title: draft.title,
      url: draft.url ?? null,
      description: draft.description ?? null,
      createdAt,
    };
    const before = allOf(core, builderId);
    spendLinks(core, caller, linkingOf([...before, project]), linkingOf(before));
    insertProjects(core, [{ ...project, builderId }]);
    return project;
  });
}

/**
 * Changes one of the caller's projects. Needs `profile:write`. Throws not_found, also for another member's
 * project.
 */
export function changeProject(core: Core, caller: Caller, id: string, change: ProjectChange): Project {
  const { builderId } = requireBuilder(caller, "profile:write");
  return core.db.transact(() => {
    const project = findProject(core, builderId, id);
    if (!project) throw noProject();
    const changed: Project = {
      ...project,
      title: change.title ?? project.title,
      url: change.url === undefined ? project.url : change.url,
      description: change.description === undefined ? project.description : change.description,
    };
    const before = allOf(core, builderId);
    const after = before.map((each) => (each.id === id ? changed : each));
    spendLinks(core, caller, linkingOf(after), linkingOf(before));
    updateProject(core, changed);
    return changed;
  });
}

/**
 * Deletes one of the caller's projects. Needs `profile:write`. Throws not_found, also for another member's
 * project.
 */
export function deleteProject(core: Core, caller: Caller, id: string): void {
  const { builderId } = requireBuilder(caller, "profile:write");
  core.db.transact(() => {
    if (!deleteProjectRow(core, builderId, id)) throw noProject();
  });
}

/**
 * Returns the texts and links of all projects together for the link limit of new members, because a profile
 * shows all projects.
 */
function linkingOf(projects: readonly Project[]): LinkingText {
  return {
    texts: projects.map(({ description }) => description),
    addresses: projects.map(({ url }) => url),
  };
}

function allOf(core: Core, builderId: string): Project[] {
  return selectProjects(core, builderId, { limit: PROJECTS_MAX, backwards: false }, undefined);
}

function noProject(): CoreError {
  return refuse("project_unknown");
}

function optional<Schema extends TSchema>(
  schema: Schema,
  docs: Ruled & { description: string; examples: string[] },
) {
  return Type.Optional(Type.Union([schema, Type.Null()], docs));
}
