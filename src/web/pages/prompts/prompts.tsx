/** @jsxImportSource @kitajs/html */
import { listOwnPrompts, listPrompts, type Prompt } from "../../../core/community/prompts/prompts.ts";
import { slugged } from "../../request/forms.ts";
import { Heading, Views } from "../../parts/layout.tsx";
import { Button, Empty, Field, More, Select } from "../../parts/parts.tsx";
import { filterOf, nextAddress, pageRequest, readerOf } from "../../request/paging.ts";
import { readerPage, type PageAsk, type PersonAsk, signedInPage, type View } from "../../request/route.ts";
import { HiddenMark } from "../feed/post-card.tsx";

/** The prompt library, and what one has put into it. */
export const promptPages = [
  readerPage("GET", "/prompts", (ask) => libraryView(ask)),
  signedInPage("GET", "/prompts/mine", (ask) => ownView(ask)),
];

/** The library and one's own, for whoever has signed in. */
function LibraryViews({ ask }: { ask: PageAsk }) {
  const { heading, views } = ask.words.prompts;
  return (
    <Views
      ask={ask}
      label={heading}
      views={[
        { href: "/prompts", words: views.library },
        { href: "/prompts/mine", words: views.mine },
      ]}
    />
  );
}

/** The least mean rating that one may ask for. */
const SCORES = [3, 4, 4.5];

function libraryView(ask: PageAsk): View {
  const words = ask.words.prompts.library;
  const slug = (name: string): string | undefined => {
    const asked = filterOf(ask, name);
    return asked === undefined ? undefined : slugged(asked);
  };
  const score = SCORES.find((value) => String(value) === filterOf(ask, "min_score"));
  const filter = {
    model: slug("model"),
    category: slug("category"),
    min_score: score,
  };
  const page = listPrompts(ask.core, readerOf(ask), filter, pageRequest(ask));
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return {
    title: ask.words.prompts.heading,
    linkPreview: { description: words.lead, path: "/prompts" },
    body: (
      <>
        <Heading title={ask.words.prompts.heading} action={ask.person ? <Share ask={ask} /> : ""}>
          <p>{words.lead}</p>
        </Heading>
        {ask.person ? <LibraryViews ask={ask} /> : ""}
        <form class="search" action="/prompts" role="search" aria-label={ask.words.prompts.heading}>
          <details class="search-more" open={isFiltered}>
            <summary>{words.filters}</summary>
            <Field
              name="model"
              label={words.model}
              value={filterOf(ask, "model") ?? ""}
              placeholder={words.modelExample}
            />
            <Field
              name="category"
              label={words.category}
              value={filterOf(ask, "category") ?? ""}
              placeholder={words.categoryExample}
            />
            <Select
              name="min_score"
              label={words.score}
              options={[
                { value: "", words: words.any },
                ...SCORES.map((one) => ({
                  value: String(one),
                  words: words.atLeast({ score: one }),
                  isOn: one === score,
                })),
              ]}
            />
            <div class="search-end">
              {isFiltered ? <a href="/prompts">{ask.words.prompts.all}</a> : <span />}
              <Button kind="quiet">{words.filter}</Button>
            </div>
          </details>
        </form>
        {page.nodes.length === 0 ? (
          <Empty title={isFiltered ? words.nothingFits : words.empty}>
            <p>{isFiltered ? words.fewer : words.first}</p>
          </Empty>
        ) : (
          <Prompts ask={ask} prompts={page.nodes} />
        )}
        <More ask={ask} href={nextAddress(ask, page)} words={words.more} />
      </>
    ),
  };
}

function Share({ ask }: { ask: PageAsk }) {
  return (
    <a class="button primary" href="/prompts/new">
      {ask.words.prompts.share}
    </a>
  );
}

export function Prompts({ ask, prompts }: { ask: PageAsk; prompts: readonly Prompt[] }) {
  return (
    <div class="posts">
      {prompts.map((prompt) => (
        <PromptCard ask={ask} prompt={prompt} />
      ))}
    </div>
  );
}

function PromptCard({ ask, prompt }: { ask: PageAsk; prompt: Prompt }) {
  return (
    <article class="prompt">
      <header class="prompt-head">
        <h2>
          <a href={`/prompts/${prompt.id}`} dir="auto" safe>
            {prompt.title}
          </a>
        </h2>
        <Score ask={ask} score={prompt.score} ratings={prompt.ratings} />
      </header>
      <p class="row-meta">
        <Byline ask={ask} prompt={prompt} />
      </p>
      {prompt.hiddenAt === null ? "" : <HiddenMark ask={ask} />}
      <pre
        class="sample"
        dir="auto"
        tabindex="0"
        aria-label={ask.words.prompts.card.prompt({ title: prompt.title })}
        safe
      >
        {prompt.body}
      </pre>
      <PromptTags prompt={prompt} />
    </article>
  );
}

/** The author, and the version if there are several. */
export function Byline({ ask, prompt }: { ask: PageAsk; prompt: Prompt }) {
  const words = ask.words.prompts.card;
  const { username } = prompt.author;
  return (
    <>
      {words.by({ author: <a href={`/@${username}`} safe>{`@${username}`}</a> })}
      {prompt.version > 1 ? ` · ${words.version({ version: prompt.version })}` : ""}
    </>
  );
}

export function Score({ ask, score, ratings }: { ask: PageAsk; score: number; ratings: number }) {
  const words = ask.words.prompts.card;
  if (ratings === 0) return <p class="score unrated">{words.notRated}</p>;
  return (
    <p class="score" title={words.mean}>
      {ask.words.formats.decimal(score)} <span class="quietly">{words.ofRatings({ count: ratings })}</span>
    </p>
  );
}

export function PromptTags({ prompt }: { prompt: Pick<Prompt, "model" | "category"> }) {
  return (
    <ul class="tags">
      {(["model", "category"] as const).map((name) => (
        <li>
          <a class="tag" dir="auto" href={`/prompts?${name}=${encodeURIComponent(prompt[name])}`} safe>
            {prompt[name]}
          </a>
        </li>
      ))}
    </ul>
  );
}

function ownView(ask: PersonAsk): View {
  const words = ask.words.prompts.own;
  const page = listOwnPrompts(ask.core, ask.person.caller, pageRequest(ask));
  return {
    title: words.title,
    body: (
      <>
        <Heading title={words.title} action={<Share ask={ask} />}>
          <p>{words.lead}</p>
        </Heading>
        <LibraryViews ask={ask} />
        {page.nodes.length === 0 ? (
          <Empty title={words.empty}>
            <p>{words.first}</p>
          </Empty>
        ) : (
          <Prompts ask={ask} prompts={page.nodes} />
        )}
        <More ask={ask} href={nextAddress(ask, page)} />
      </>
    ),
  };
}
