/** @jsxImportSource @kitajs/html */
import { Type } from "@sinclair/typebox";
import { formOf } from "../../parts/draft-form.tsx";
import type { CoreError } from "../../../core/base/errors.ts";
import { type Prompt, PromptDraft, submitPrompt } from "../../../core/community/prompts/prompts.ts";
import { revisePrompt, VersionDraft } from "../../../core/community/prompts/versions.ts";
import {
  field,
  showAgainOnError,
  formPage,
  readDraft,
  previewOrSubmit,
  previewedFormPage,
} from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Preview, SubmitOrPreview } from "../../parts/preview.tsx";
import { FileField, Form, Submit } from "../../parts/parts.tsx";
import { type PersonContext, signedInPage, type View, withText } from "../../request/route.ts";
import { fault, refuseFields } from "../../../core/base/errors.ts";
import { isWaiting } from "../feed/post-card.tsx";
import { readFile } from "./prompt-file.ts";
import { ownPromptOf } from "./prompt.tsx";

/** The form of a version shows all fields, so all are required. */
const CompleteVersion = Type.Required(VersionDraft);

/** Sharing a prompt, and creating a new version of it. */
export const promptFormPages = [
  signedInPage("GET", "/prompts/new", (ctx) => newView(ctx)),
  formPage(
    previewedFormPage(signedInPage, (ctx) => newView(ctx)),
    "/prompts",
    newView,
    async (ctx) => {
      const draft = readDraft(PromptDraft, ctx.form);
      const prompt = await ctx.write(() => submitPrompt(ctx.core, ctx.person.caller, draft));
      return { to: `/prompts/${prompt.id}`, notice: prompt.hiddenAt === null ? "prompt-shared" : "held" };
    },
  ),
  withText(signedInPage("POST", "/prompts/file", (ctx) => fromFile(ctx, newView))),
  signedInPage("GET", "/prompts/:id/revise", (ctx) => reviseView(ctx)),
  withText(signedInPage("POST", "/prompts/:id/file", (ctx) => fromFile(ctx, reviseView))),
  signedInPage(
    "POST",
    "/prompts/:id/revise",
    previewOrSubmit(
      (ctx) => reviseView(ctx),
      (ctx) => {
        const { id } = ownPromptOf(ctx);
        return showAgainOnError(
          async () => {
            const draft = readDraft(CompleteVersion, ctx.form, { note: field(ctx.form, "note") });
            const prompt = await ctx.write(() => revisePrompt(ctx.core, ctx.person.caller, id, draft));
            const notice = prompt.hiddenAt !== null && isWaiting(ctx, prompt) ? "held" : "prompt-revised";
            return { to: `/prompts/${id}`, notice };
          },
          (error) => reviseView(ctx, error),
        );
      },
    ),
  ),
];

/** Fills the form with the fields of a file. Nothing is stored yet. */
function fromFile(ctx: PersonContext, view: (ctx: PersonContext, error?: CoreError) => View): View {
  const sent = field(ctx.form, "file");
  if (sent === "")
    return view({ ...ctx, form: new URLSearchParams() }, refuseFields([fault("file", "missing")]));
  const read = Object.entries(readFile(sent)).filter(([, value]) => value !== undefined);
  return view({ ...ctx, form: new URLSearchParams(read) });
}

function ofFile(error: CoreError | undefined): boolean {
  return error?.details?.some(({ path }) => path === "file") ?? false;
}

/** A separate form beside the main one, because members choose a file before they edit its text. */
function FromFile({
  action,
  ctx,
  error,
}: {
  action: string;
  ctx: PersonContext;
  error: CoreError | undefined;
}) {
  const messages = ctx.messages.prompts.form.file;
  return (
    <details class="more-fields" open={ofFile(error)}>
      <summary>{messages.title}</summary>
      <Form action={action} ctx={ctx} kind="stack" hasFile>
        <FileField
          name="file"
          label={messages.label}
          hint={messages.hint}
          ctx={ctx}
          error={ofFile(error) ? error : undefined}
          accept=".md,.txt,text/*"
        />
        <Submit kind="quiet">{messages.read}</Submit>
      </Form>
    </details>
  );
}

function newView(ctx: PersonContext, error?: CoreError): View {
  const messages = ctx.messages.prompts;
  return {
    title: messages.share,
    error,
    body: (
      <>
        <Heading title={messages.share}>
          <p>{messages.form.lead}</p>
        </Heading>
        <FromFile action="/prompts/file" ctx={ctx} error={error} />
        <PromptForm ctx={ctx} action="/prompts" error={error} />
      </>
    ),
  };
}

function reviseView(ctx: PersonContext, error?: CoreError): View {
  const messages = ctx.messages.prompts.form;
  const prompt = ownPromptOf(ctx);
  return {
    title: messages.newTitle,
    error,
    body: (
      <>
        <Heading title={messages.newTitle}>
          <p>{messages.newLead}</p>
          <p>
            <a href={`/prompts/${prompt.id}`}>{messages.back}</a>
          </p>
        </Heading>
        <FromFile action={`/prompts/${prompt.id}/file`} ctx={ctx} error={error} />
        <PromptForm ctx={ctx} action={`/prompts/${prompt.id}/revise`} known={prompt} error={error} />
      </>
    ),
  };
}

/** The form of a new prompt or a new version. */
function PromptForm({
  ctx,
  action,
  known,
  error,
}: {
  ctx: PersonContext;
  action: string;
  known?: Prompt;
  error: CoreError | undefined;
}) {
  const { form, library } = ctx.messages.prompts;
  const messages = { ...library, ...form };
  const { Form, Field, TextArea } = formOf(ctx, known ? CompleteVersion : PromptDraft, {
    messages,
    // An error of the file is shown at the file field.
    error: ofFile(error) ? undefined : error,
    stored: known && { title: known.title, body: known.body, model: known.model },
  });
  return (
    <Form action={action}>
      <Preview ctx={ctx} name="body" isSample />
      <Field name="title" />
      <TextArea name="body" rows={10} />
      <div class="pair">
        <Field name="model" />
        {known ? <Field name="note" /> : <Field name="category" />}
      </div>
      <SubmitOrPreview ctx={ctx}>{known ? form.make : form.share}</SubmitOrPreview>
    </Form>
  );
}
