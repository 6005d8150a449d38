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
import { type PersonAsk, signedInPage, type View, withText } from "../../request/route.ts";
import { fault, refuseFields } from "../../../core/base/errors.ts";
import { readFile } from "./prompt-file.ts";
import { ownPromptOf } from "./prompt.tsx";

/** The form of a version shows all of the prompt. */
const WholeVersion = Type.Required(VersionDraft);

/** Sharing a prompt, and making a better version of it. */
export const promptFormPages = [
  signedInPage("GET", "/prompts/new", (ask) => newView(ask)),
  formPage(
    previewedFormPage(signedInPage, (ask) => newView(ask)),
    "/prompts",
    newView,
    async (ask) => {
      const draft = readDraft(PromptDraft, ask.form);
      const prompt = await ask.write(() => submitPrompt(ask.core, ask.person.caller, draft));
      return { to: `/prompts/${prompt.id}`, notice: "prompt-shared" };
    },
  ),
  withText(signedInPage("POST", "/prompts/file", (ask) => fromFile(ask, newView))),
  signedInPage("GET", "/prompts/:id/revise", (ask) => reviseView(ask)),
  withText(signedInPage("POST", "/prompts/:id/file", (ask) => fromFile(ask, reviseView))),
  signedInPage(
    "POST",
    "/prompts/:id/revise",
    previewOrSubmit(
      (ask) => reviseView(ask),
      (ask) => {
        const { id } = ownPromptOf(ask);
        return showAgainOnError(
          async () => {
            const draft = readDraft(WholeVersion, ask.form, { note: field(ask.form, "note") });
            await ask.write(() => revisePrompt(ask.core, ask.person.caller, id, draft));
            return { to: `/prompts/${id}`, notice: "prompt-revised" };
          },
          (error) => reviseView(ask, error),
        );
      },
    ),
  ),
];

/** Fills the form with what stands in a file, for whoever chose it to look at: nothing is stored yet. */
function fromFile(ask: PersonAsk, view: (ask: PersonAsk, error?: CoreError) => View): View {
  const sent = field(ask.form, "file");
  if (sent === "")
    return view({ ...ask, form: new URLSearchParams() }, refuseFields([fault("file", "missing")]));
  const read = Object.entries(readFile(sent)).filter(([, value]) => value !== undefined);
  return view({ ...ask, form: new URLSearchParams(read) });
}

function ofFile(error: CoreError | undefined): boolean {
  return error?.details?.some(({ path }) => path === "file") ?? false;
}

/** Beside the form, as one chooses a file first and looks at what it says then. */
function FromFile({ action, ask, error }: { action: string; ask: PersonAsk; error: CoreError | undefined }) {
  const words = ask.words.prompts.form.file;
  return (
    <details class="more-fields" open={ofFile(error)}>
      <summary>{words.title}</summary>
      <Form action={action} ask={ask} kind="stack" hasFile>
        <FileField
          name="file"
          label={words.label}
          hint={words.hint}
          ask={ask}
          error={ofFile(error) ? error : undefined}
          accept=".md,.txt,text/*"
        />
        <Submit kind="quiet">{words.read}</Submit>
      </Form>
    </details>
  );
}

function newView(ask: PersonAsk, error?: CoreError): View {
  const words = ask.words.prompts;
  return {
    title: words.share,
    error,
    body: (
      <>
        <Heading title={words.share}>
          <p>{words.form.lead}</p>
        </Heading>
        <FromFile action="/prompts/file" ask={ask} error={error} />
        <PromptForm ask={ask} action="/prompts" error={error} />
      </>
    ),
  };
}

function reviseView(ask: PersonAsk, error?: CoreError): View {
  const words = ask.words.prompts.form;
  const prompt = ownPromptOf(ask);
  return {
    title: words.newTitle,
    error,
    body: (
      <>
        <Heading title={words.newTitle}>
          <p>{words.newLead}</p>
          <p>
            <a href={`/prompts/${prompt.id}`}>{words.back}</a>
          </p>
        </Heading>
        <FromFile action={`/prompts/${prompt.id}/file`} ask={ask} error={error} />
        <PromptForm ask={ask} action={`/prompts/${prompt.id}/revise`} known={prompt} error={error} />
      </>
    ),
  };
}

/** The form of a new prompt or a new version. */
function PromptForm({
  ask,
  action,
  known,
  error,
}: {
  ask: PersonAsk;
  action: string;
  known?: Prompt;
  error: CoreError | undefined;
}) {
  const { form, library } = ask.words.prompts;
  const words = { ...library, ...form };
  const { Form, Field, TextArea } = formOf(ask, known ? WholeVersion : PromptDraft, {
    words,
    // What is wrong with a file is said beside it.
    error: ofFile(error) ? undefined : error,
    stored: known && { title: known.title, body: known.body, model: known.model },
  });
  return (
    <Form action={action}>
      <Preview ask={ask} name="body" isSample />
      <Field name="title" />
      <TextArea name="body" rows={10} />
      <div class="pair">
        <Field name="model" />
        {known ? <Field name="note" /> : <Field name="category" />}
      </div>
      <SubmitOrPreview ask={ask}>{known ? form.make : form.share}</SubmitOrPreview>
    </Form>
  );
}
