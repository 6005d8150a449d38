/** @jsxImportSource @kitajs/html */
import { formOf } from "../../parts/draft-form.tsx";
import { type CoreError, refuse } from "../../../core/base/errors.ts";
import {
  addProject,
  changeProject,
  deleteProject,
  listProjects,
  type Project,
  ProjectDraft,
  PROJECTS_MAX,
} from "../../../core/community/profiles/projects.ts";
import { showAgainOnError, formPage, readDraft } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Submit } from "../../parts/parts.tsx";
import { type PersonAsk, signedInPage, type View } from "../../request/route.ts";

const PROFILE = "/settings/profile";
const HERE = `${PROFILE}/projects`;

/** The projects of one's own profile, one at a time. */
export const projectPages = [
  signedInPage("GET", `${HERE}/new`, (ask) => formView(ask, undefined)),
  formPage(
    signedInPage,
    HERE,
    (ask, error) => formView(ask, undefined, error),
    async (ask) => {
      const draft = readDraft(ProjectDraft, ask.form);
      await ask.write(() => addProject(ask.core, ask.person.caller, draft));
      return { to: PROFILE, notice: "saved" };
    },
  ),
  signedInPage("GET", `${HERE}/:id`, (ask) => formView(ask, ownProject(ask))),
  signedInPage("POST", `${HERE}/:id`, (ask) => {
    const project = ownProject(ask);
    return showAgainOnError(
      async () => {
        const change = readDraft(ProjectDraft, ask.form);
        await ask.write(() => changeProject(ask.core, ask.person.caller, project.id, change));
        return { to: PROFILE, notice: "saved" };
      },
      (error) => formView(ask, project, error),
    );
  }),
  signedInPage("POST", `${HERE}/:id/delete`, async (ask) => {
    const id = ask.params["id"] ?? "";
    await ask.write(() => deleteProject(ask.core, ask.person.caller, id));
    return { to: PROFILE, notice: "project-deleted" };
  }),
];

function ownProject({ core, person, params }: PersonAsk): Project {
  const own = listProjects(core, person.caller, { limit: PROJECTS_MAX }).nodes;
  const project = own.find(({ id }) => id === params["id"]);
  if (!project) throw refuse("project_unknown");
  return project;
}

function formView(ask: PersonAsk, project: Project | undefined, error?: CoreError): View {
  const words = ask.words.profileSettings.projects;
  const { Form, Field, TextArea } = formOf(ask, ProjectDraft, { words, error, stored: project });
  const title = project ? words.changeTitle : words.add;
  return {
    title,
    section: "profile",
    error,
    body: (
      <>
        <Heading title={title}>
          <p>
            <a href={PROFILE}>{words.back}</a>
          </p>
        </Heading>
        <Form action={project ? `${HERE}/${project.id}` : HERE}>
          <Field name="title" of="name" />
          <Field name="url" />
          <TextArea name="description" />
          <Submit>{words.save}</Submit>
        </Form>
      </>
    ),
  };
}
