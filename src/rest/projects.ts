import { Type } from "@sinclair/typebox";
import { isoTime } from "../core/ground/clock.ts";
import {
  addProject,
  changeProject,
  deleteProject,
  getProject,
  listProjects,
  type Project,
  ProjectChange,
  ProjectDraft,
} from "../core/community/profiles/projects.ts";
import { operation } from "./operation.ts";
import { pageParameters, PageOf, pageRequest, presentPage } from "./page.ts";

const ProjectAnswer = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    url: Type.Union([Type.String({ format: "uri" }), Type.Null()]),
    description: Type.Union([Type.String(), Type.Null()]),
    created_at: Type.String({ format: "date-time" }),
  },
  { $id: "Project" },
);

const example = {
  id: "prj_01kafzq8e5f2r8v0j3n6s1t4wx",
  title: "tinyqueue",
  url: "https://tinyqueue.example.com",
  description: "A queue that fits in one file.",
  created_at: "2026-11-20T09:30:00.000Z",
};

const param = { name: "id", description: "The project's id.", example: example.id };

export const projectOperations = [
  operation({
    id: "listProjects",
    method: "GET",
    path: "/profiles/me/projects",
    group: "Profiles",
    summary: "List your own projects, newest first",
    scope: "profile:read",
    query: Type.Object(pageParameters),
    answer: {
      status: 200,
      description: "One page of your projects",
      schema: PageOf("ProjectPage", ProjectAnswer),
      example: { data: [example], next: null },
    },
    refusals: [400],
    handle: ({ core, caller, query }) =>
      presentPage(listProjects(core, caller, pageRequest(query)), presentProject),
  }),
  operation({
    id: "addProject",
    method: "POST",
    path: "/profiles/me/projects",
    group: "Profiles",
    summary: "Put a project on your profile",
    description: "Up to 50. The profile shows its id and title.",
    scope: "profile:write",
    body: ProjectDraft,
    answer: { status: 201, description: "The project", schema: ProjectAnswer, example },
    refusals: [400, 409, 422],
    handle: ({ core, caller, body, commit }) =>
      commit(() => {
        const project = addProject(core, caller, body);
        return {
          status: 201,
          body: presentProject(project),
          headers: { location: `/v1/profiles/me/projects/${project.id}` },
        };
      }),
  }),
  operation({
    id: "getProject",
    method: "GET",
    path: "/profiles/me/projects/{id}",
    group: "Profiles",
    summary: "Retrieve a project of yours",
    scope: "profile:read",
    param,
    answer: { status: 200, description: "The project", schema: ProjectAnswer, example },
    refusals: [404],
    handle: ({ core, caller, id }) => ({ status: 200, body: presentProject(getProject(core, caller, id)) }),
  }),
  operation({
    id: "changeProject",
    method: "PATCH",
    path: "/profiles/me/projects/{id}",
    group: "Profiles",
    summary: "Change a project of yours",
    description: "Fields that are left out stay as they are; null takes one away.",
    scope: "profile:write",
    param,
    body: ProjectChange,
    answer: { status: 200, description: "The project", schema: ProjectAnswer, example },
    refusals: [400, 404],
    handle: ({ core, caller, id, body, commit }) =>
      commit(() => ({ status: 200, body: presentProject(changeProject(core, caller, id, body)) })),
  }),
  operation({
    id: "deleteProject",
    method: "DELETE",
    path: "/profiles/me/projects/{id}",
    group: "Profiles",
    summary: "Take a project off your profile",
    scope: "profile:write",
    param,
    answer: { status: 204, description: "It is gone" },
    refusals: [404],
    handle: ({ core, caller, id, commit }) =>
      commit(() => {
        deleteProject(core, caller, id);
        return { status: 204 };
      }),
  }),
];

function presentProject(project: Project) {
  return {
    id: project.id,
    title: project.title,
    url: project.url,
    description: project.description,
    created_at: isoTime(project.createdAt),
  };
}
