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
  description: "The identifier of the project.",
  example: "prj_01kafzq8e5f2r8v0j3n6s1t4wx",
};
const responseDescription = "The project";

export const projectOperations = area("Profiles", {
  listProjects: list({
    route: "GET /profiles/me/projects",
    summary: "List your own projects",
    description: "Returns your projects, newest first.",
    scope: "profile:read",
    view: ProjectView,
    page: "ProjectPage",
    responseDescription: "One page of your projects",
    run: ({ core, caller, page }) => listProjects(core, caller, page),
  }),
  addProject: write({
    route: "POST /profiles/me/projects",
    summary: "Add a project to your profile",
    description: "A profile can have up to 50 projects. The public profile shows their ids and titles.",
    restDescription: "Returns 409 if you have reached the limit.",
    scope: "profile:write",
    effect: "creates",
    draft: ProjectDraft,
    view: ProjectView,
    responseDescription,
    run: ({ core, caller, draft }) => addProject(core, caller, draft),
    locationOf: ({ id }) => `/profiles/me/projects/${id}`,
  }),
  getProject: read({
    route: "GET /profiles/me/projects/{id}",
    summary: "Retrieve your own project",
    description: "Returns a project with its URL and description.",
    scope: "profile:read",
    param,
    view: ProjectView,
    responseDescription,
    run: ({ core, caller, id }) => getProject(core, caller, id),
  }),
  changeProject: write({
    route: "PATCH /profiles/me/projects/{id}",
    summary: "Change your own project",
    description:
      "Changes the fields you send and keeps the others. `null` clears the `url` or the `description`.",
    scope: "profile:write",
    effect: "changes",
    param,
    draft: ProjectChange,
    view: ProjectView,
    responseDescription,
    run: ({ core, caller, id, draft }) => changeProject(core, caller, id, draft),
  }),
  deleteProject: write({
    route: "DELETE /profiles/me/projects/{id}",
    summary: "Delete your own project",
    description: "The project is removed from your profile.",
    scope: "profile:write",
    effect: "removes",
    param,
    responseDescription: "The project is deleted",
    run: ({ core, caller, id }) => deleteProject(core, caller, id),
  }),
});
