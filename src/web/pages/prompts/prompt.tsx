/** @jsxImportSource @kitajs/html */
import { check } from "../../../core/ground/check.ts";
import { type CoreError, refuse } from "../../../core/ground/errors.ts";
import { getPrompt, type Prompt } from "../../../core/community/prompts/prompts.ts";
import { RatingDraft, ratePrompt, starsAmong } from "../../../core/community/prompts/ratings.ts";
import { deletePrompt } from "../../../core/community/prompts/removal.ts";
import { listVersions, type PromptVersion } from "../../../core/community/prompts/versions.ts";
import { field, orAgain } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Button, Fault, Form, More } from "../../parts/parts.tsx";
import { nextAddress, pageRequest, readerOf } from "../../request/reading.ts";
import { open, type PageAsk, type PersonAsk, personal, type View } from "../../request/route.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { HiddenMark } from "../feed/post-card.tsx";
import { PromptTags, Score } from "./prompts.tsx";

/** One prompt: its versions, and what people think of it. */
export const promptDetailPages = [
  open("GET", "/prompts/:id", (ask) => promptView(ask)),
  personal("POST", "/prompts/:id/rating", (ask) => {
    const { id } = promptOf(ask);
    return orAgain(
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
  personal("GET", "/prompts/:id/delete", (ask) => deleteView(ask)),
  personal("POST", "/prompts/:id/delete", async (ask) => {
    const id = ask.params["id"] ?? "";
    await ask.write(() => deletePrompt(ask.core, ask.person.caller, id));
    return { to: "/prompts/mine", notice: "prompt-deleted" };
  }),
];

function promptOf(ask: PageAsk): Prompt {
  return getPrompt(ask.core, readerOf(ask), ask.params["id"] ?? "");
}

function promptView(ask: PageAsk, error?: CoreError): View {
  const prompt = promptOf(ask);
  const isOwn = ask.person?.caller.builderId === prompt.authorId;
  return {
    title: prompt.title,
    error,
    body: (
      <>
        <Heading title={prompt.title} action={<Score score={prompt.score} ratings={prompt.ratings} />}>
          <p>
            by <a href={`/@${prompt.author.username}`} safe>{`@${prompt.author.username}`}</a>
            {prompt.version > 1 ? ` · version ${prompt.version}` : ""} ·{" "}
            <Ago ask={ask} at={prompt.revisedAt ?? prompt.createdAt} />
          </p>
        </Heading>
        {prompt.hiddenAt === null ? "" : <HiddenMark ask={ask} />}
        <Fault ask={ask} error={error} />
        <pre class="sample" dir="auto" tabindex="0" aria-label="The prompt" safe>
          {prompt.body}
        </pre>
        <PromptTags prompt={prompt} />
        {isOwn ? (
          <OwnActions prompt={prompt} />
        ) : prompt.hiddenAt === null ? (
          <Rating prompt={prompt} ask={ask} />
        ) : (
          ""
        )}
        {prompt.version > 1 ? <Versions prompt={prompt} ask={ask} /> : ""}
        <p class="part quiet-links">
          <a href="/prompts">All prompts</a>
          {ask.person && !isOwn ? <a href={`/report/${prompt.id}`}>Report this prompt</a> : ""}
        </p>
      </>
    ),
  };
}

function OwnActions({ prompt }: { prompt: Prompt }) {
  return (
    <div class="actions part">
      <a class="button quiet" href={`/prompts/${prompt.id}/revise`}>
        New version
      </a>
      <a class="button danger" href={`/prompts/${prompt.id}/delete`}>
        Delete
      </a>
    </div>
  );
}

const STARS = [
  { stars: 1, words: "1 star: poor" },
  { stars: 2, words: "2 stars: fair" },
  { stars: 3, words: "3 stars: good" },
  { stars: 4, words: "4 stars: very good" },
  { stars: 5, words: "5 stars: excellent" },
] as const;

/** Five radio buttons that look like stars; the stylesheet fills them up to the chosen one. */
function Rating({ prompt, ask }: { prompt: Prompt; ask: PageAsk }) {
  if (!ask.person) {
    return (
      <p class="part hint">
        <a href={`/sign-in?next=/prompts/${prompt.id}`}>Sign in</a> to rate it.
      </p>
    );
  }
  const given = starsAmong(ask.core, ask.person.caller, [prompt.id]).get(prompt.id);
  return (
    <Form action={`/prompts/${prompt.id}/rating`} token={ask.formToken} kind="part rating">
      <input type="hidden" name="version" value={String(prompt.version)} />
      <fieldset class="stars">
        <legend>{given === undefined ? "How does it work for you?" : "Your rating"}</legend>
        {STARS.map(({ stars, words }) => (
          <label class="star" title={words}>
            <input type="radio" name="stars" value={String(stars)} checked={stars === given} required />
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="m12 3 2.7 5.9 6.4.7-4.8 4.3 1.4 6.3L12 17l-5.7 3.2 1.4-6.3-4.8-4.3 6.4-.7z" />
            </svg>
            <span class="unseen">{words}</span>
          </label>
        ))}
      </fieldset>
      <Button kind="quiet">{given === undefined ? "Rate it" : "Change it"}</Button>
    </Form>
  );
}

function Versions({ prompt, ask }: { prompt: Prompt; ask: PageAsk }) {
  const page = listVersions(ask.core, readerOf(ask), prompt.id, pageRequest(ask));
  return (
    <section class="part" id="versions">
      <h2>Versions</h2>
      <p class="hint">Ratings belong to a version: what was rated is what was read.</p>
      <ol class="versions">
        {page.nodes.map((version) => (
          <Version version={version} isCurrent={version.version === prompt.version} ask={ask} />
        ))}
      </ol>
      <More ask={ask} href={nextAddress(ask, page, `/prompts/${prompt.id}`)} />
    </section>
  );
}

function Version({ version, isCurrent, ask }: { version: PromptVersion; isCurrent: boolean; ask: PageAsk }) {
  const { version: number, note, score, ratings, body, createdAt } = version;
  return (
    <li>
      <div class="prompt-head">
        <h3>{`Version ${number}${isCurrent ? ", the current one" : ""}`}</h3>
        <Score score={score} ratings={ratings} />
      </div>
      <p class="row-meta">
        <Ago ask={ask} at={createdAt} />
      </p>
      {note === "" ? "" : <p safe>{note}</p>}
      {isCurrent ? (
        ""
      ) : (
        <details>
          <summary>{`Read version ${number}`}</summary>
          <pre class="sample" dir="auto" tabindex="0" aria-label={`Version ${number}`} safe>
            {body}
          </pre>
        </details>
      )}
    </li>
  );
}

function deleteView(ask: PersonAsk): View {
  const prompt = ownPromptOf(ask);
  return {
    title: "Delete this prompt?",
    body: (
      <Confirm
        ask={ask}
        title="Delete this prompt?"
        action={`/prompts/${prompt.id}/delete`}
        words="Delete it"
        back={`/prompts/${prompt.id}`}
      >
        <p>
          <bdi safe>{`“${prompt.title}”`}</bdi>
        </p>
        <p>Its versions and ratings go with it. It cannot be brought back.</p>
      </Confirm>
    ),
  };
}

export function ownPromptOf(ask: PersonAsk): Prompt {
  const prompt = promptOf(ask);
  if (prompt.authorId !== ask.person.caller.builderId) throw refuse("prompt_not_yours");
  return prompt;
}
