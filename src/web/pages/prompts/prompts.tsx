/** @jsxImportSource @kitajs/html */
import { listOwnPrompts, listPrompts, type Prompt } from "../../../core/community/prompts/prompts.ts";
import { slugged } from "../../request/forms.ts";
import { Heading, Views } from "../../parts/layout.tsx";
import { Button, Empty, Field, More, Select } from "../../parts/parts.tsx";
import { filterOf, nextAddress, pageRequest, readerOf } from "../../request/reading.ts";
import { open, type PageAsk, type PersonAsk, personal, type View } from "../../request/route.ts";
import { HiddenMark } from "../feed/post-card.tsx";

/** The prompt library, and what one has put into it. */
export const promptPages = [
  open("GET", "/prompts", (ask) => libraryView(ask)),
  personal("GET", "/prompts/mine", (ask) => ownView(ask)),
];

const VIEWS = [
  { href: "/prompts", words: "The library" },
  { href: "/prompts/mine", words: "Shared by you" },
] as const;

const SCORES = [
  { value: "", words: "Any" },
  { value: "3", words: "3 and better" },
  { value: "4", words: "4 and better" },
  { value: "4.5", words: "4.5 and better" },
] as const;

function libraryView(ask: PageAsk): View {
  const slug = (name: string): string | undefined => {
    const asked = filterOf(ask, name);
    return asked === undefined ? undefined : slugged(asked);
  };
  const score = SCORES.find(({ value }) => value !== "" && value === filterOf(ask, "min_score"));
  const filter = {
    model: slug("model"),
    category: slug("category"),
    min_score: score && Number(score.value),
  };
  const page = listPrompts(ask.core, readerOf(ask), filter, pageRequest(ask));
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return {
    title: "Prompts",
    body: (
      <>
        <Heading title="Prompts" action={ask.person ? <Share /> : ""}>
          <p>What works, rated by those who tried it.</p>
        </Heading>
        {ask.person ? <Views ask={ask} label="Prompts" views={VIEWS} /> : ""}
        <form class="search" action="/prompts" role="search" aria-label="Prompts">
          <Field
            name="model"
            label="Model"
            value={filterOf(ask, "model") ?? ""}
            placeholder="claude-sonnet"
          />
          <Field
            name="category"
            label="Category"
            value={filterOf(ask, "category") ?? ""}
            placeholder="code-review"
          />
          <Select
            name="min_score"
            label="Score"
            options={SCORES.map((one) => ({ ...one, isOn: one === score }))}
          />
          <div class="search-end">
            {isFiltered ? <a href="/prompts">All prompts</a> : <span />}
            <Button>Filter</Button>
          </div>
        </form>
        {page.nodes.length === 0 ? (
          <Empty title={isFiltered ? "Nothing fits that" : "No prompt here yet"}>
            <p>{isFiltered ? "Leave a filter away." : "Good ones are worth sharing."}</p>
          </Empty>
        ) : (
          <Prompts ask={ask} prompts={page.nodes} />
        )}
        <More ask={ask} href={nextAddress(ask, page)} words="More" />
      </>
    ),
  };
}

function Share() {
  return (
    <a class="button primary" href="/prompts/new">
      Share a prompt
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
        <Score score={prompt.score} ratings={prompt.ratings} />
      </header>
      <p class="row-meta">
        by <a href={`/@${prompt.author.username}`} safe>{`@${prompt.author.username}`}</a>
        {prompt.version > 1 ? ` · version ${prompt.version}` : ""}
      </p>
      {prompt.hiddenAt === null ? "" : <HiddenMark ask={ask} />}
      <pre class="sample" dir="auto" tabindex="0" aria-label={`The prompt “${prompt.title}”`} safe>
        {prompt.body}
      </pre>
      <PromptTags prompt={prompt} />
    </article>
  );
}

export function Score({ score, ratings }: { score: number; ratings: number }) {
  if (ratings === 0) return <p class="score unrated">not rated</p>;
  return (
    <p class="score" title="The mean of all ratings, 1 to 5">
      {score.toFixed(2)}{" "}
      <span class="quietly">{ratings === 1 ? "of 1 rating" : `of ${ratings} ratings`}</span>
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
  const page = listOwnPrompts(ask.core, ask.person.caller, pageRequest(ask));
  return {
    title: "Your prompts",
    body: (
      <>
        <Heading title="Your prompts" action={<Share />}>
          <p>What you have shared, with its ratings.</p>
        </Heading>
        <Views ask={ask} label="Prompts" views={VIEWS} />
        {page.nodes.length === 0 ? (
          <Empty title="You have shared no prompt">
            <p>Share one that works for you, and others tell how it works for them.</p>
          </Empty>
        ) : (
          <Prompts ask={ask} prompts={page.nodes} />
        )}
        <More ask={ask} href={nextAddress(ask, page)} />
      </>
    ),
  };
}
