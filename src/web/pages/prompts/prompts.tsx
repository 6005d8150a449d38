/** @jsxImportSource @kitajs/html */
import {
  listOwnPrompts,
  listPrompts,
  type Prompt,
  type PromptFilter,
} from "../../../core/community/prompts/prompts.ts";
import { searchPrompts } from "../../../core/community/prompts/search.ts";
import { slugged } from "../../request/forms.ts";
import { Heading, Views } from "../../parts/layout.tsx";
import { Button, Empty, Field, More, Select } from "../../parts/parts.tsx";
import { filterOf, nextAddress, pageRequest, readerOf } from "../../request/paging.ts";
import {
  readerPage,
  type PageContext,
  type PersonContext,
  signedInPage,
  type View,
} from "../../request/route.ts";
import { HiddenMark, isWaiting } from "../feed/post-card.tsx";

/** The prompt library, and the prompts that a member has shared. */
export const promptPages = [
  readerPage("GET", "/prompts", (ctx) => libraryView(ctx)),
  signedInPage("GET", "/prompts/mine", (ctx) => ownView(ctx)),
];

/** The tabs for the library and the member's own prompts. Guests see no tabs. */
function LibraryViews({ ctx }: { ctx: PageContext }) {
  const { heading, views } = ctx.messages.prompts;
  return (
    <Views
      ctx={ctx}
      label={heading}
      views={[
        { href: "/prompts", label: views.library },
        { href: "/prompts/mine", label: views.mine },
      ]}
    />
  );
}

/** The options for the lowest mean rating. */
const SCORES = [3, 4, 4.5];

function libraryView(ctx: PageContext): View {
  const messages = ctx.messages.prompts.library;
  const slug = (name: string): string | undefined => {
    const filterValue = filterOf(ctx, name);
    return filterValue === undefined ? undefined : slugged(filterValue);
  };
  const score = SCORES.find((value) => String(value) === filterOf(ctx, "min_score"));
  const filter = {
    model: slug("model"),
    category: slug("category"),
    min_score: score,
  };
  const q = [...(filterOf(ctx, "q") ?? "")].slice(0, Q_MAX).join("");
  const page =
    q === ""
      ? listPrompts(ctx.core, readerOf(ctx), filter, pageRequest(ctx))
      : searchPrompts(ctx.core, readerOf(ctx), questionOf(q, filter), pageRequest(ctx));
  const isFiltered = q !== "" || Object.values(filter).some((value) => value !== undefined);
  const emptyHint = () => {
    if (q !== "") return messages.otherWords;
    if (isFiltered) return messages.fewer;
    return ctx.person ? messages.first : messages.nobody;
  };
  return {
    title: ctx.messages.prompts.heading,
    linkPreview: { description: messages.lead, path: "/prompts" },
    body: (
      <>
        <Heading title={ctx.messages.prompts.heading} action={ctx.person ? <Share ctx={ctx} /> : ""}>
          <p>{messages.lead}</p>
        </Heading>
        {ctx.person ? <LibraryViews ctx={ctx} /> : ""}
        <Search ctx={ctx} q={q} score={score} />
        {page.nodes.length === 0 ? (
          <Empty title={isFiltered ? messages.nothingFits : messages.empty}>
            <p>{emptyHint()}</p>
          </Empty>
        ) : (
          <Prompts ctx={ctx} prompts={page.nodes} />
        )}
        <More ctx={ctx} href={nextAddress(ctx, page)} label={messages.more} />
      </>
    ),
  };
}

/** The longest search, in characters. */
const Q_MAX = 200;

/** Adds the model and the category to a search as tags. A search is ranked, so it takes no lowest rating. */
function questionOf(q: string, { model, category }: PromptFilter): string {
  return [q, ...[model, category].flatMap((slug) => (slug === undefined ? [] : `tag:${slug}`))].join(" ");
}

/** The search field, and the filters in a form of their own. */
function Search({ ctx, q, score }: { ctx: PageContext; q: string; score: number | undefined }) {
  const messages = ctx.messages.prompts.library;
  const value = (name: string): string => filterOf(ctx, name) ?? "";
  const hidden = (name: string) =>
    value(name) === "" ? "" : <input type="hidden" name={name} value={value(name)} />;
  const hasFilter = ["model", "category", "min_score"].some((name) => value(name) !== "");
  return (
    <>
      <form class="search-words" action="/prompts" role="search" aria-label={ctx.messages.prompts.heading}>
        {hidden("model")}
        {hidden("category")}
        <Field
          name="q"
          label={messages.search}
          type="search"
          value={q}
          maxlength={Q_MAX}
          placeholder={messages.searchExample}
        />
        <Button kind="quiet">{messages.find}</Button>
      </form>
      <form class="search" action="/prompts" aria-label={messages.filters}>
        {q === "" ? "" : <input type="hidden" name="q" value={q} />}
        <details class="search-more" open={hasFilter}>
          <summary>{messages.filters}</summary>
          <div class="search-fields">
            <Field
              name="model"
              label={messages.model}
              value={value("model")}
              placeholder={messages.modelExample}
            />
            <Field
              name="category"
              label={messages.category}
              value={value("category")}
              placeholder={messages.categoryExample}
            />
            {q === "" ? (
              <Select
                name="min_score"
                label={messages.score}
                options={[
                  { value: "", words: messages.any },
                  ...SCORES.map((one) => ({
                    value: String(one),
                    words: messages.atLeast({ score: one }),
                    isOn: one === score,
                  })),
                ]}
              />
            ) : (
              ""
            )}
            <Button kind="quiet">{messages.filter}</Button>
          </div>
        </details>
      </form>
      {q !== "" || hasFilter ? (
        <p class="hint reset">
          <a href="/prompts">{ctx.messages.prompts.all}</a>
        </p>
      ) : (
        ""
      )}
    </>
  );
}

function Share({ ctx }: { ctx: PageContext }) {
  return (
    <a class="button primary" href="/prompts/new">
      {ctx.messages.prompts.share}
    </a>
  );
}

export function Prompts({ ctx, prompts }: { ctx: PageContext; prompts: readonly Prompt[] }) {
  return (
    <div class="posts">
      {prompts.map((prompt) => (
        <PromptCard ctx={ctx} prompt={prompt} />
      ))}
    </div>
  );
}

function PromptCard({ ctx, prompt }: { ctx: PageContext; prompt: Prompt }) {
  return (
    <article class="prompt">
      <header class="prompt-head">
        <h2>
          <a href={`/prompts/${prompt.id}`} dir="auto" safe>
            {prompt.title}
          </a>
        </h2>
        <Score ctx={ctx} score={prompt.score} ratings={prompt.ratings} />
      </header>
      <p class="row-meta">
        <Byline ctx={ctx} prompt={prompt} />
      </p>
      {prompt.hiddenAt === null ? (
        ""
      ) : (
        <HiddenMark ctx={ctx} isWaiting={isWaiting(ctx, prompt)} isOwn={false} />
      )}
      <pre
        class="sample"
        dir="auto"
        tabindex="0"
        aria-label={ctx.messages.prompts.card.prompt({ title: prompt.title })}
        safe
      >
        {prompt.body}
      </pre>
      <PromptTags prompt={prompt} />
    </article>
  );
}

/** The author, and the version if there are several. */
export function Byline({ ctx, prompt }: { ctx: PageContext; prompt: Prompt }) {
  const messages = ctx.messages.prompts.card;
  const { username } = prompt.author;
  return (
    <>
      {messages.by({ author: <a href={`/@${username}`} safe>{`@${username}`}</a> })}
      {prompt.version > 1 ? ` · ${messages.version({ version: prompt.version })}` : ""}
    </>
  );
}

/** A star, as a path in a 24 by 24 square. */
export const STAR = "m12 3 2.7 5.9 6.4.7-4.8 4.3 1.4 6.3L12 17l-5.7 3.2 1.4-6.3-4.8-4.3 6.4-.7z";

export function Score({
  ctx,
  score,
  ratings,
  id,
}: {
  ctx: PageContext;
  score: number;
  ratings: number;
  /** The element that a rating replaces. */
  id?: string | undefined;
}) {
  const messages = ctx.messages.prompts.card;
  if (ratings === 0)
    return (
      <p class="score unrated" id={id}>
        {messages.notRated}
      </p>
    );
  return (
    <p class="score" title={messages.mean} id={id}>
      {ctx.messages.formats.decimal(score, 1)}{" "}
      {/* The star is an SVG, because fonts may lack the character. The hidden character is for copying. */}
      <span aria-hidden="true">
        <span class="unseen">★</span>
        <svg viewBox="0 0 24 24">
          <path d={STAR} />
        </svg>
      </span>{" "}
      <span class="quietly">{messages.ofRatings({ count: ratings })}</span>
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

function ownView(ctx: PersonContext): View {
  const messages = ctx.messages.prompts.own;
  const page = listOwnPrompts(ctx.core, ctx.person.caller, pageRequest(ctx));
  return {
    title: messages.title,
    body: (
      <>
        <Heading title={messages.title} action={<Share ctx={ctx} />}>
          <p>{messages.lead}</p>
        </Heading>
        <LibraryViews ctx={ctx} />
        {page.nodes.length === 0 ? (
          <Empty title={messages.empty}>
            <p>{messages.first}</p>
          </Empty>
        ) : (
          <Prompts ctx={ctx} prompts={page.nodes} />
        )}
        <More ctx={ctx} href={nextAddress(ctx, page)} />
      </>
    ),
  };
}
