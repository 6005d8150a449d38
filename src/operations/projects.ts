import {
  addProject,
  changeProject,
  deleteProject,
  getProject,
  listProjects,
  ProjectChange,
  ProjectDraft,
  ProjectView,
} from "../core/community/profiles/projects.ts";
import { area, list, read, write } from "./operation.ts";

const param = {
  name: "id",
  description: "The project's identifier.",
  example: "prj_01kafzq8e5f2r8v0j3n6s1t4wx",
};
const gives = "The project";

export const projectOperations = area("Profiles", {
  listProjects: list({
    at: "GET /profiles/me/projects",
    summary: "List your own projects, newest first",
    scope: "profile:read",
    view: ProjectView,
    page: "ProjectPage",
    gives: "One page of your projects",
    run: ({ core, caller, page }) => listProjects(core, caller, page),
  }),
  addProject: write({
    at: "POST /profiles/me/projects",
    summary: "Put a project on your profile",
    description: "A profile has up to 50, and shows their ids and titles.",
    scope: "profile:write",
    effect: "makes",
    draft: ProjectDraft,
    view: ProjectView,
    gives,
    run: ({ core, caller, draft }) => addProject(core, caller, draft),
    place: ({ id }) => `/profiles/me/projects/${id}`,
  }),
  getProject: read({
    at: "GET /profiles/me/projects/{id}",
    summary: "Retrieve a project of yours",
    scope: "profile:read",
    param,
    view: ProjectView,
    gives,
    run: ({ core, caller, id }) => getProject(core, caller, id),
  }),
  changeProject: write({
    at: "PATCH /profiles/me/projects/{id}",
    summary: "Change a project of yours",
    description: "Fields that are left out stay as they are; null takes one away.",
    scope: "profile:write",
    effect: "changes",
    param,
    draft: ProjectChange,
    view: ProjectView,
    gives,
    run: ({ core, caller, id, draft }) => changeProject(core, caller, id, draft),
  }),
  deleteProject: write({
    at: "DELETE /profiles/me/projects/{id}",
    summary: "Take a project off your profile",
    scope: "profile:write",
    effect: "removes",
    param,
    gives: "It is gone",
    run: ({ core, caller, id }) => deleteProject(core, caller, id),
  }),
});
