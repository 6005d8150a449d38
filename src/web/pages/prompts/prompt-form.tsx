/** @jsxImportSource @kitajs/html */
import { check } from "../../../core/ground/check.ts";
import type { CoreError } from "../../../core/ground/errors.ts";
import { PromptDraft, submitPrompt } from "../../../core/community/prompts/prompts.ts";
import { revisePrompt, VersionDraft } from "../../../core/community/prompts/versions.ts";
import { field, orAgain, prose, slugged } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Button, Fault, Field, Form, TextArea } from "../../parts/parts.tsx";
import { type PersonAsk, personal, type View } from "../../request/route.ts";
import { ownPromptOf } from "./prompt.tsx";

/** Sharing a prompt, and making a better version of it. */
export const promptFormPages = [
  personal("GET", "/prompts/new", (ask) => newView(ask)),
  personal("POST", "/prompts", (ask) =>
    orAgain(
      async () => {
        const draft = check(PromptDraft, {
          title: field(ask.form, "title"),
          body: prose(ask.form, "body"),
          model: slugged(field(ask.form, "model")),
          category: slugged(field(ask.form, "category")),
        });
        const prompt = await ask.write(() => submitPrompt(ask.core, ask.person.caller, draft));
        return { to: `/prompts/${prompt.id}`, notice: "prompt-shared" };
      },
      (error) => newView(ask, error),
    ),
  ),
  personal("GET", "/prompts/:id/revise", (ask) => reviseView(ask)),
  personal("POST", "/prompts/:id/revise", (ask) => {
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
  }),
];

interface Known {
  title: string;
  body: string;
  model: string;
}

function newView(ask: PersonAsk, error?: CoreError): View {
  return {
    title: "Share a prompt",
    error,
    body: (
      <>
        <Heading title="Share a prompt">
          <p>Others rate how it works for them. You can always make a better version of it.</p>
        </Heading>
        <Form action="/prompts" token={ask.formToken} kind="stack">
          <Fault error={error} fields={["title", "body", "model", "category"]} />
          <PromptFields ask={ask} known={undefined} error={error}>
            <Field
              name="category"
              label="Category"
              value={field(ask.form, "category")}
              placeholder="code-review"
              error={error}
              required
            />
          </PromptFields>
          <div class="actions">
            <Button>Share it</Button>
          </div>
        </Form>
      </>
    ),
  };
}

function reviseView(ask: PersonAsk, error?: CoreError): View {
  const prompt = ownPromptOf(ask);
  return {
    title: "A new version",
    error,
    body: (
      <>
        <Heading title="A new version">
          <p>The new version begins unrated; the one before stays readable with its ratings.</p>
          <p>
            <a href={`/prompts/${prompt.id}`}>Back to the prompt</a>
          </p>
        </Heading>
        <Form action={`/prompts/${prompt.id}/revise`} token={ask.formToken} kind="stack">
          <Fault error={error} fields={["title", "body", "model", "note"]} />
          <PromptFields ask={ask} known={prompt} error={error}>
            <Field
              name="note"
              label="What changed"
              value={field(ask.form, "note")}
              placeholder="Asks for tests before style."
              error={error}
              required
            />
          </PromptFields>
          <div class="actions">
            <Button>Make the new version</Button>
          </div>
        </Form>
      </>
    ),
  };
}

function PromptFields({
  ask: { form },
  known,
  error,
  children,
}: {
  ask: PersonAsk;
  known: Known | undefined;
  error: CoreError | undefined;
  children?: JSX.Element;
}) {
  const isTyped = form.has("body");
  const typed = (name: keyof Known): string => (isTyped ? field(form, name) : (known?.[name] ?? ""));
  return (
    <>
      <Field
        name="title"
        label="What it is for"
        value={typed("title")}
        placeholder="Review a diff like a maintainer"
        error={error}
        required
      />
      <TextArea
        name="body"
        label="The prompt"
        hint="Up to 20,000 characters."
        value={isTyped ? prose(form, "body") : (known?.body ?? "")}
        rows={10}
        error={error}
        required
      />
      <div class="pair">
        <Field
          name="model"
          label="Model"
          value={typed("model")}
          placeholder="claude-sonnet"
          error={error}
          required
        />
        {children ?? ""}
      </div>
    </>
  );
}
