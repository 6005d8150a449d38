/** @jsxImportSource @kitajs/html */
import { namesOf } from "../../../core/community/mentions/mentions.ts";
import { check } from "../../../core/base/check.ts";
import { openingOf } from "../../../core/base/title.ts";
import { type CoreError, refuse } from "../../../core/base/errors.ts";
import { getPrompt, type Prompt } from "../../../core/community/prompts/prompts.ts";
import { RatingDraft, ratePrompt, starsAmong } from "../../../core/community/prompts/ratings.ts";
import { deletePrompt } from "../../../core/community/prompts/removal.ts";
import { getVersion, listVersions, type PromptVersion } from "../../../core/community/prompts/versions.ts";
import { NO_STORE } from "../../../http/answer.ts";
import { field, showAgainOnError } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Button, Fault, Form, More } from "../../parts/parts.tsx";
import { ModerateSubject } from "../../parts/moderate-menu.tsx";
import { nextAddress, pageRequest, readerOf } from "../../request/paging.ts";
import {
  readerPage,
  type PageContext,
  type PersonContext,
  signedInPage,
  type View,
} from "../../request/route.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { HiddenMark, isWaiting } from "../feed/post-card.tsx";
import { fileNameOf, fileOf } from "./prompt-file.ts";
import { filledPrompt, VariableFields, variablesOf } from "./variables.tsx";
import { Byline, PromptTags, Score, STAR } from "./prompts.tsx";

/** A prompt: its versions and ratings. */
export const promptDetailPages = [
  // The router only matches whole path segments, so this route also serves the file: the prompt's path plus
  // `.md`.
  readerPage("GET", "/prompts/:id", (ctx) =>
    ctx.params["id"]?.endsWith(".md") ? promptFile(ctx) : promptView(ctx),
  ),
  signedInPage("POST", "/prompts/:id/rating", (ctx) => {
    const { id } = promptOf(ctx);
    return showAgainOnError(
      async () => {
        const draft = check(RatingDraft, {
          stars: Number(field(ctx.form, "stars")),
          version: Number(field(ctx.form, "version")),
        });
        await ctx.write(() => ratePrompt(ctx.core, ctx.person.caller, id, draft));
        return { to: `/prompts/${id}`, notice: "rated", fragment: () => ratedParts(ctx) };
      },
      (error) => promptView(ctx, error),
    );
  }),
  signedInPage("GET", "/prompts/:id/delete", (ctx) => deleteView(ctx)),
  signedInPage("POST", "/prompts/:id/delete", async (ctx) => {
    const id = ctx.params["id"] ?? "";
    await ctx.write(() => deletePrompt(ctx.core, ctx.person.caller, id));
    return { to: "/prompts/mine", notice: "prompt-deleted" };
  }),
];

function promptOf(ctx: PageContext): Prompt {
  return getPrompt(ctx.core, readerOf(ctx), ctx.params["id"] ?? "");
}

/** The parts of the page that a rating changes. */
function ratedParts(ctx: PersonContext): JSX.Element {
  const prompt = promptOf(ctx);
  const { score, ratings } = getVersion(ctx.core, ctx.person.caller, prompt.id, prompt.version);
  return (
    <>
      <Rating prompt={prompt} ctx={ctx} />
      <Score ctx={ctx} score={prompt.score} ratings={prompt.ratings} id="score" />
      <Score ctx={ctx} score={score} ratings={ratings} id="version-score" />
    </>
  );
}

function promptView(ctx: PageContext, error?: CoreError): View {
  const messages = ctx.messages.prompts.prompt;
  const prompt = promptOf(ctx);
  const isOwn = ctx.person?.caller.builderId === prompt.authorId;
  const variables = variablesOf(prompt.body);
  const nameOf = namesOf(ctx.core, [{ id: prompt.id, text: prompt.body }]);
  return {
    title: prompt.title,
    error,
    linkPreview: {
      description: openingOf(`${prompt.model} · ${prompt.category}\n\n${prompt.body}`, 200),
      kind: "article",
      path: `/prompts/${prompt.id}`,
    },
    body: (
      <>
        <Heading
          title={prompt.title}
          action={<Score ctx={ctx} score={prompt.score} ratings={prompt.ratings} id="score" />}
        >
          <p>
            <Byline ctx={ctx} prompt={prompt} /> · <Ago ctx={ctx} at={prompt.revisedAt ?? prompt.createdAt} />
          </p>
        </Heading>
        {prompt.hiddenAt === null ? (
          ""
        ) : (
          <HiddenMark ctx={ctx} isWaiting={isWaiting(ctx, prompt)} isOwn={isOwn} />
        )}
        <Fault ctx={ctx} error={error} />
        {variables.length > 0 ? <VariableFields ctx={ctx} id={prompt.id} variables={variables} /> : ""}
        {/* The renderer has escaped this text. */}
        <pre class="sample" dir="auto" tabindex="0" aria-label={messages.text} id="prompt">
          {filledPrompt(ctx, prompt.body, variables, nameOf(prompt.id))}
        </pre>
        <div class="actions">
          {/* Copying needs a script. Without it the button stays hidden, and the text can be selected. */}
          <button class="button primary" type="button" data-copy="prompt" data-done={messages.copied} hidden>
            {messages.copy}
          </button>
          <a class="button quiet" href={`/prompts/${prompt.id}.md`}>
            {messages.download}
          </a>
        </div>
        <PromptTags prompt={prompt} />
        {isOwn ? (
          <OwnActions ctx={ctx} prompt={prompt} />
        ) : prompt.hiddenAt === null ? (
          <Rating prompt={prompt} ctx={ctx} />
        ) : (
          ""
        )}
        {prompt.version > 1 ? <Versions prompt={prompt} ctx={ctx} /> : ""}
        <p class="part quiet-links">
          <a href="/prompts">{ctx.messages.prompts.all}</a>
          {!isOwn ? <a href={`/report/${prompt.id}`}>{messages.report}</a> : ""}
        </p>
        <ModerateSubject ctx={ctx} id={prompt.id} />
      </>
    ),
  };
}

/** Returns the prompt as a file, in the requested version or the current one. Throws not_found. */
function promptFile(ctx: PageContext): Response {
  const { core, context, query } = ctx;
  const id = (ctx.params["id"] ?? "").slice(0, -".md".length);
  const prompt = getPrompt(core, readerOf(ctx), id);
  const version = getVersion(core, readerOf(ctx), id, Number(query.get("version") ?? prompt.version));
  return new Response(fileOf(prompt, version, `${core.origin}/prompts/${id}`), {
    headers: {
      ...context.headers,
      "cache-control": NO_STORE,
      "content-type": "text/markdown; charset=utf-8",
      "content-disposition": `attachment; filename="${fileNameOf(version)}"`,
    },
  });
}

function OwnActions({ ctx, prompt }: { ctx: PageContext; prompt: Prompt }) {
  const messages = ctx.messages.prompts.prompt;
  return (
    <div class="actions part">
      <a class="button quiet" href={`/prompts/${prompt.id}/revise`}>
        {messages.newVersion}
      </a>
      <a class="button danger" href={`/prompts/${prompt.id}/delete`}>
        {messages.delete}
      </a>
    </div>
  );
}

const STARS = [1, 2, 3, 4, 5] as const;

/** Five radio buttons that look like stars. The stylesheet fills the stars up to the chosen one. */
function Rating({ prompt, ctx }: { prompt: Prompt; ctx: PageContext }) {
  const messages = ctx.messages.prompts.prompt;
  if (!ctx.person) {
    return <p class="part hint">{messages.signIn({ address: `/sign-in?next=/prompts/${prompt.id}` })}</p>;
  }
  const ownStars = starsAmong(ctx.core, ctx.person.caller, [prompt.id]).get(prompt.id);
  return (
    <Form action={`/prompts/${prompt.id}/rating`} ctx={ctx} kind="part rating" inPlace>
      <input type="hidden" name="version" value={String(prompt.version)} />
      <fieldset class="stars">
        <legend>{ownStars === undefined ? messages.ask : messages.yours}</legend>
        {STARS.map((stars) => (
          <label class="star" title={messages.stars[stars]}>
            <input type="radio" name="stars" value={String(stars)} checked={stars === ownStars} required />
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d={STAR} />
            </svg>
            <span class="unseen">{messages.stars[stars]}</span>
          </label>
        ))}
      </fieldset>
      <Button kind="quiet">{ownStars === undefined ? messages.rate : messages.change}</Button>
    </Form>
  );
}

function Versions({ prompt, ctx }: { prompt: Prompt; ctx: PageContext }) {
  const messages = ctx.messages.prompts.versions;
  const page = listVersions(ctx.core, readerOf(ctx), prompt.id, pageRequest(ctx));
  return (
    <section class="part" id="versions">
      <h2>{messages.title}</h2>
      <p class="hint">{messages.lead}</p>
      <ol class="versions">
        {page.nodes.map((version) => (
          <Version
            promptId={prompt.id}
            version={version}
            isCurrent={version.version === prompt.version}
            ctx={ctx}
          />
        ))}
      </ol>
      <More ctx={ctx} href={nextAddress(ctx, page, `/prompts/${prompt.id}`)} />
    </section>
  );
}

function Version({
  promptId,
  version,
  isCurrent,
  ctx,
}: {
  promptId: string;
  version: PromptVersion;
  isCurrent: boolean;
  ctx: PageContext;
}) {
  const { version: number, note, score, ratings, body, createdAt } = version;
  const messages = ctx.messages.prompts.versions;
  return (
    <li>
      <div class="prompt-head">
        <h3>{isCurrent ? messages.current({ version: number }) : messages.version({ version: number })}</h3>
        <Score ctx={ctx} score={score} ratings={ratings} id={isCurrent ? "version-score" : undefined} />
      </div>
      <p class="row-meta">
        <Ago ctx={ctx} at={createdAt} />
      </p>
      {note === "" ? (
        ""
      ) : (
        <p dir="auto" safe>
          {note}
        </p>
      )}
      {number > 1 && (
        <p>
          <a href={`/prompts/${promptId}/compare?from=${number - 1}&to=${number}`}>
            {messages.compare({ version: number - 1 })}
          </a>
        </p>
      )}
      {isCurrent ? (
        ""
      ) : (
        <details>
          <summary>{messages.read({ version: number })}</summary>
          <pre class="sample" dir="auto" tabindex="0" aria-label={messages.version({ version: number })} safe>
            {body}
          </pre>
        </details>
      )}
    </li>
  );
}

function deleteView(ctx: PersonContext): View {
  const messages = ctx.messages.prompts.deletion;
  const prompt = ownPromptOf(ctx);
  return {
    title: messages.title,
    body: (
      <Confirm
        ctx={ctx}
        title={messages.title}
        action={`/prompts/${prompt.id}/delete`}
        label={messages.button}
        back={`/prompts/${prompt.id}`}
      >
        <p>
          <bdi safe>{messages.quoted({ title: prompt.title })}</bdi>
        </p>
        <p>{messages.lead}</p>
        <p>{messages.reported}</p>
      </Confirm>
    ),
  };
}

export function ownPromptOf(ctx: PersonContext): Prompt {
  const prompt = promptOf(ctx);
  if (prompt.authorId !== ctx.person.caller.builderId) throw refuse("prompt_not_yours");
  return prompt;
}
