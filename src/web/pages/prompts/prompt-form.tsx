/** @jsxImportSource @kitajs/html */
import { check } from "../../../core/base/check.ts";
import type { CoreError } from "../../../core/base/errors.ts";
import { type Prompt, PromptDraft, submitPrompt } from "../../../core/community/prompts/prompts.ts";
import { revisePrompt, VersionDraft } from "../../../core/community/prompts/versions.ts";
import { field, orAgain, posted, prose, slugged, orPreview, previewed } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Preview, SubmitOrLook } from "../../parts/preview.tsx";
import { Fault, boundFields, FileField, Form, Submit } from "../../parts/parts.tsx";
import { type PersonAsk, personal, type View, withText } from "../../request/route.ts";
import { fault, refuseFields } from "../../../core/base/errors.ts";
import { readFile } from "./prompt-file.ts";
import { ownPromptOf } from "./prompt.tsx";

/** Sharing a prompt, and making a better version of it. */
export const promptFormPages = [
  personal("GET", "/prompts/new", (ask) => newView(ask)),
  posted(
    previewed(personal, (ask) => newView(ask)),
    "/prompts",
    newView,
    async (ask) => {
      const draft = check(PromptDraft, {
        title: field(ask.form, "title"),
        body: prose(ask.form, "body"),
        model: slugged(field(ask.form, "model")),
        category: slugged(field(ask.form, "category")),
      });
      const prompt = await ask.write(() => submitPrompt(ask.core, ask.person.caller, draft));
      return { to: `/prompts/${prompt.id}`, notice: "prompt-shared" };
    },
  ),
  withText(personal("POST", "/prompts/file", (ask) => fromFile(ask, newView))),
  personal("GET", "/prompts/:id/revise", (ask) => reviseView(ask)),
  withText(personal("POST", "/prompts/:id/file", (ask) => fromFile(ask, reviseView))),
  personal(
    "POST",
    "/prompts/:id/revise",
    orPreview(
      (ask) => reviseView(ask),
      (ask) => {
        const { id } = ownPromptOf(ask);
        return orAgain(
          async () => {
            const draft = check(VersionDraft, {
              title: field(ask.form, "title"),
              body: prose(ask.form, "body"),
              model: slugged(field(ask.form, "model")),
              note: field(ask.form, "note"),
            });
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

/** Beside the form, as one chooses a file first and looks at what it says then. */
function FromFile({ action, ask, error }: { action: string; ask: PersonAsk; error: CoreError | undefined }) {
  const words = ask.words.prompts.form.file;
  const ofFile = error?.details?.some(({ path }) => path === "file") ? error : undefined;
  return (
    <details class="more-fields" open={ofFile !== undefined}>
      <summary>{words.title}</summary>
      <Form action={action} token={ask.formToken} kind="stack" hasFile>
        <FileField
          name="file"
          label={words.label}
          hint={words.hint}
          ask={ask}
          error={ofFile}
          accept=".md,.txt,text/*"
        />
        <Submit kind="quiet">{words.read}</Submit>
      </Form>
    </details>
  );
}

type Known = Pick<Prompt, "title" | "body" | "model">;

function newView(ask: PersonAsk, error?: CoreError): View {
  const words = ask.words.prompts;
  const { Field } = boundFields(ask, error);
  return {
    title: words.share,
    error,
    body: (
      <>
        <Heading title={words.share}>
          <p>{words.form.lead}</p>
        </Heading>
        <FromFile action="/prompts/file" ask={ask} error={error} />
        <Form action="/prompts" token={ask.formToken} kind="stack">
          <Fault ask={ask} error={error} fields={["title", "body", "model", "category", "file"]} />
          <PromptFields ask={ask} known={undefined} error={error}>
            <Field
              name="category"
              label={words.library.category}
              placeholder={words.library.categoryExample}
              required
            />
          </PromptFields>
          <SubmitOrLook ask={ask}>{words.form.share}</SubmitOrLook>
        </Form>
      </>
    ),
  };
}

function reviseView(ask: PersonAsk, error?: CoreError): View {
  const words = ask.words.prompts.form;
  const prompt = ownPromptOf(ask);
  const { Field } = boundFields(ask, error);
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
        <Form action={`/prompts/${prompt.id}/revise`} token={ask.formToken} kind="stack">
          <Fault ask={ask} error={error} fields={["title", "body", "model", "note", "file"]} />
          <PromptFields ask={ask} known={prompt} error={error}>
            <Field name="note" label={words.note} placeholder={words.noteExample} required />
          </PromptFields>
          <SubmitOrLook ask={ask}>{words.make}</SubmitOrLook>
        </Form>
      </>
    ),
  };
}

function PromptFields({
  ask,
  known,
  error,
  children,
}: {
  ask: PersonAsk;
  known: Known | undefined;
  error: CoreError | undefined;
  children?: JSX.Element;
}) {
  const words = ask.words.prompts.form;
  const { Field, TextArea } = boundFields(
    ask,
    error,
    known && { title: known.title, body: known.body, model: known.model },
  );
  return (
    <>
      <Preview ask={ask} name="body" isSample />
      <Field name="title" label={words.title} placeholder={words.titleExample} required />
      <TextArea name="body" label={words.body} hint={words.bodyHint} rows={10} required />
      <div class="pair">
        <Field
          name="model"
          label={ask.words.prompts.library.model}
          placeholder={ask.words.prompts.library.modelExample}
          required
        />
        {children ?? ""}
      </div>
    </>
  );
}
