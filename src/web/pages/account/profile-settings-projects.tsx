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
import { type PersonContext, signedInPage, type View } from "../../request/route.ts";

const PROFILE = "/settings/profile";
const HERE = `${PROFILE}/projects`;

/** The forms for the projects of the member's own profile. */
export const projectPages = [
  signedInPage("GET", `${HERE}/new`, (ctx) => formView(ctx, undefined)),
  formPage(
    signedInPage,
    HERE,
    (ctx, error) => formView(ctx, undefined, error),
    async (ctx) => {
      const draft = readDraft(ProjectDraft, ctx.form);
      await ctx.write(() => addProject(ctx.core, ctx.person.caller, draft));
      return { to: PROFILE, notice: "saved" };
    },
  ),
  signedInPage("GET", `${HERE}/:id`, (ctx) => formView(ctx, ownProject(ctx))),
  signedInPage("POST", `${HERE}/:id`, (ctx) => {
    const project = ownProject(ctx);
    return showAgainOnError(
      async () => {
        const change = readDraft(ProjectDraft, ctx.form);
        await ctx.write(() => changeProject(ctx.core, ctx.person.caller, project.id, change));
        return { to: PROFILE, notice: "saved" };
      },
      (error) => formView(ctx, project, error),
    );
  }),
  signedInPage("POST", `${HERE}/:id/delete`, async (ctx) => {
    const id = ctx.params["id"] ?? "";
    await ctx.write(() => deleteProject(ctx.core, ctx.person.caller, id));
    return { to: PROFILE, notice: "project-deleted" };
  }),
];

function ownProject({ core, person, params }: PersonContext): Project {
  const own = listProjects(core, person.caller, { limit: PROJECTS_MAX }).nodes;
  const project = own.find(({ id }) => id === params["id"]);
  if (!project) throw refuse("project_unknown");
  return project;
}

function formView(ctx: PersonContext, project: Project | undefined, error?: CoreError): View {
  const messages = ctx.messages.profileSettings.projects;
  const { Form, Field, TextArea } = formOf(ctx, ProjectDraft, { messages, error, stored: project });
  const title = project ? messages.changeTitle : messages.add;
  return {
    title,
    section: "profile",
    error,
    body: (
      <>
        <Heading title={title}>
          <p>
            <a href={PROFILE}>{messages.back}</a>
          </p>
        </Heading>
        <Form action={project ? `${HERE}/${project.id}` : HERE}>
          <Field name="title" of="name" />
          <Field name="url" />
          <TextArea name="description" />
          <Submit>{project ? messages.save : messages.make}</Submit>
        </Form>
      </>
    ),
  };
}
