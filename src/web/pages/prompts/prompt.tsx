/** @jsxImportSource @kitajs/html */
import { namesOf } from "../../../core/community/mentions/mentions.ts";
import { renderSample } from "../../../core/base/names.ts";
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
import { nextAddress, pageRequest, readerOf } from "../../request/paging.ts";
import { readerPage, type PageAsk, type PersonAsk, signedInPage, type View } from "../../request/route.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { HiddenMark } from "../feed/post-card.tsx";
import { fileNameOf, fileOf } from "./prompt-file.ts";
import { Byline, PromptTags, Score } from "./prompts.tsx";

/** One prompt: its versions, and what people think of it. */
export const promptDetailPages = [
  // A router finds whole parts of a path: the file has the prompt's own address with three signs more.
  readerPage("GET", "/prompts/:id", (ask) =>
    ask.params["id"]?.endsWith(".md") ? promptFile(ask) : promptView(ask),
  ),
  signedInPage("POST", "/prompts/:id/rating", (ask) => {
    const { id } = promptOf(ask);
    return showAgainOnError(
      async () => {
        const draft = check(RatingDraft, {
          stars: Number(field(ask.form, "stars")),
          version: Number(field(ask.form, "version")),
        });
        await ask.write(() => ratePrompt(ask.core, ask.person.caller, id, draft));
        return { to: `/prompts/${id}`, notice: "rated" };
      },
      (error) => promptView(ask, error),
    );
  }),
  signedInPage("GET", "/prompts/:id/delete", (ask) => deleteView(ask)),
  signedInPage("POST", "/prompts/:id/delete", async (ask) => {
    const id = ask.params["id"] ?? "";
    await ask.write(() => deletePrompt(ask.core, ask.person.caller, id));
    return { to: "/prompts/mine", notice: "prompt-deleted" };
  }),
];

function promptOf(ask: PageAsk): Prompt {
  return getPrompt(ask.core, readerOf(ask), ask.params["id"] ?? "");
}

function promptView(ask: PageAsk, error?: CoreError): View {
  const words = ask.words.prompts.prompt;
  const prompt = promptOf(ask);
  const isOwn = ask.person?.caller.builderId === prompt.authorId;
  const nameOf = namesOf(ask.core, [{ id: prompt.id, text: prompt.body }]);
  return {
    title: prompt.title,
    error,
    linkPreview: { description: openingOf(prompt.body, 200), kind: "article", path: `/prompts/${prompt.id}` },
    body: (
      <>
        <Heading
          title={prompt.title}
          action={<Score ask={ask} score={prompt.score} ratings={prompt.ratings} />}
        >
          <p>
            <Byline ask={ask} prompt={prompt} /> · <Ago ask={ask} at={prompt.revisedAt ?? prompt.createdAt} />
          </p>
        </Heading>
        {prompt.hiddenAt === null ? "" : <HiddenMark ask={ask} />}
        <Fault ask={ask} error={error} />
        {/* Made safe as it is written. */}
        <pre class="sample" dir="auto" tabindex="0" aria-label={words.text} id="prompt">
          {renderSample(prompt.body, nameOf(prompt.id))}
        </pre>
        <div class="actions">
          {/* Only a script copies: without one it stays hidden, and the text can be selected. */}
          <button class="button quiet" type="button" data-copy="prompt" data-done={words.copied} hidden>
            {words.copy}
          </button>
          <a class="button quiet" href={`/prompts/${prompt.id}.md`}>
            {words.download}
          </a>
        </div>
        <PromptTags prompt={prompt} />
        {isOwn ? (
          <OwnActions ask={ask} prompt={prompt} />
        ) : prompt.hiddenAt === null ? (
          <Rating prompt={prompt} ask={ask} />
        ) : (
          ""
        )}
        {prompt.version > 1 ? <Versions prompt={prompt} ask={ask} /> : ""}
        <p class="part quiet-links">
          <a href="/prompts">{ask.words.prompts.all}</a>
          {ask.person && !isOwn ? <a href={`/report/${prompt.id}`}>{words.report}</a> : ""}
        </p>
      </>
    ),
  };
}

/** The prompt as a file: as it is now, or the version that is asked for. Throws not_found. */
function promptFile(ask: PageAsk): Response {
  const { core, context, query } = ask;
  const id = (ask.params["id"] ?? "").slice(0, -".md".length);
  const prompt = getPrompt(core, readerOf(ask), id);
  const version = getVersion(core, readerOf(ask), id, Number(query.get("version") ?? prompt.version));
  return new Response(fileOf(prompt, version, `${core.origin}/prompts/${id}`), {
    headers: {
      ...context.headers,
      "cache-control": NO_STORE,
      "content-type": "text/markdown; charset=utf-8",
      "content-disposition": `attachment; filename="${fileNameOf(version)}"`,
    },
  });
}

function OwnActions({ ask, prompt }: { ask: PageAsk; prompt: Prompt }) {
  const words = ask.words.prompts.prompt;
  return (
    <div class="actions part">
      <a class="button quiet" href={`/prompts/${prompt.id}/revise`}>
        {words.newVersion}
      </a>
      <a class="button danger" href={`/prompts/${prompt.id}/delete`}>
        {words.delete}
      </a>
    </div>
  );
}

const STARS = [1, 2, 3, 4, 5] as const;

/** Five radio buttons that look like stars; the stylesheet fills them up to the chosen one. */
function Rating({ prompt, ask }: { prompt: Prompt; ask: PageAsk }) {
  const words = ask.words.prompts.prompt;
  if (!ask.person) {
    return <p class="part hint">{words.signIn({ address: `/sign-in?next=/prompts/${prompt.id}` })}</p>;
  }
  const given = starsAmong(ask.core, ask.person.caller, [prompt.id]).get(prompt.id);
  return (
    <Form action={`/prompts/${prompt.id}/rating`} ask={ask} kind="part rating">
      <input type="hidden" name="version" value={String(prompt.version)} />
      <fieldset class="stars">
        <legend>{given === undefined ? words.ask : words.yours}</legend>
        {STARS.map((stars) => (
          <label class="star" title={words.stars[stars]}>
            <input type="radio" name="stars" value={String(stars)} checked={stars === given} required />
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="m12 3 2.7 5.9 6.4.7-4.8 4.3 1.4 6.3L12 17l-5.7 3.2 1.4-6.3-4.8-4.3 6.4-.7z" />
            </svg>
            <span class="unseen">{words.stars[stars]}</span>
          </label>
        ))}
      </fieldset>
      <Button kind="quiet">{given === undefined ? words.rate : words.change}</Button>
    </Form>
  );
}

function Versions({ prompt, ask }: { prompt: Prompt; ask: PageAsk }) {
  const words = ask.words.prompts.versions;
  const page = listVersions(ask.core, readerOf(ask), prompt.id, pageRequest(ask));
  return (
    <section class="part" id="versions">
      <h2>{words.title}</h2>
      <p class="hint">{words.lead}</p>
      <ol class="versions">
        {page.nodes.map((version) => (
          <Version
            promptId={prompt.id}
            version={version}
            isCurrent={version.version === prompt.version}
            ask={ask}
          />
        ))}
      </ol>
      <More ask={ask} href={nextAddress(ask, page, `/prompts/${prompt.id}`)} />
    </section>
  );
}

function Version({
  promptId,
  version,
  isCurrent,
  ask,
}: {
  promptId: string;
  version: PromptVersion;
  isCurrent: boolean;
  ask: PageAsk;
}) {
  const { version: number, note, score, ratings, body, createdAt } = version;
  const words = ask.words.prompts.versions;
  return (
    <li>
      <div class="prompt-head">
        <h3>{isCurrent ? words.current({ version: number }) : words.version({ version: number })}</h3>
        <Score ask={ask} score={score} ratings={ratings} />
      </div>
      <p class="row-meta">
        <Ago ask={ask} at={createdAt} />
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
            {words.compare({ version: number - 1 })}
          </a>
        </p>
      )}
      {isCurrent ? (
        ""
      ) : (
        <details>
          <summary>{words.read({ version: number })}</summary>
          <pre class="sample" dir="auto" tabindex="0" aria-label={words.version({ version: number })} safe>
            {body}
          </pre>
        </details>
      )}
    </li>
  );
}

function deleteView(ask: PersonAsk): View {
  const words = ask.words.prompts.deletion;
  const prompt = ownPromptOf(ask);
  return {
    title: words.title,
    body: (
      <Confirm
        ask={ask}
        title={words.title}
        action={`/prompts/${prompt.id}/delete`}
        words={words.button}
        back={`/prompts/${prompt.id}`}
      >
        <p>
          <bdi safe>{words.quoted({ title: prompt.title })}</bdi>
        </p>
        <p>{words.lead}</p>
        <p>{words.reported}</p>
      </Confirm>
    ),
  };
}

export function ownPromptOf(ask: PersonAsk): Prompt {
  const prompt = promptOf(ask);
  if (prompt.authorId !== ask.person.caller.builderId) throw refuse("prompt_not_yours");
  return prompt;
}
