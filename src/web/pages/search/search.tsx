/** @jsxImportSource @kitajs/html */
import {
  type SearchResult,
  SEARCH_KINDS,
  type SearchKind,
  maySearch,
  searchEverything,
  SearchQuery,
  PREVIEW_COUNT,
} from "../../../core/services/search/search.ts";
import { parseQuestion } from "../../../core/community/fulltext/language.ts";
import { markedHtml, matchesOf } from "../../../core/community/fulltext/snippets.ts";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Button, Empty, Field, More } from "../../parts/parts.tsx";
import { filterOf, nextAddress, pageRequest, readerOf } from "../../request/paging.ts";
import { readerPage, type PageContext, type View } from "../../request/route.ts";

const HERE = "/search";

/** One search over posts, jobs, prompts and builders. */
export const searchPages = [readerPage("GET", HERE, (ctx) => searchView(ctx))];

const Q_MAX = SearchQuery.properties.q.maxLength ?? 0;

function searchView(ctx: PageContext): View {
  const messages = ctx.messages.search;
  const q = [...(filterOf(ctx, "q") ?? "")].slice(0, Q_MAX).join("");
  const kind = SEARCH_KINDS.find((one) => one === filterOf(ctx, "kind"));
  const page = searchEverything(ctx.core, readerOf(ctx), { q, kind }, pageRequest(ctx));
  return {
    title: q === "" ? messages.title : `${q} · ${messages.title}`,
    body: (
      <>
        <Heading title={messages.title} />
        <form class="find" action={HERE} role="search" aria-label={messages.here}>
          <Field
            name="q"
            label={messages.everything}
            type="search"
            value={q}
            maxlength={Q_MAX}
            placeholder={messages.example}
          />
          {kind === undefined ? "" : <input type="hidden" name="kind" value={kind} />}
          <Button kind="quiet">{messages.find}</Button>
        </form>
        {q === "" ? (
          <Empty title={messages.ask}>
            <p>{messages.askLead}</p>
          </Empty>
        ) : (
          <>
            <Kinds ctx={ctx} q={q} current={kind} />
            {page.nodes.length === 0 ? (
              <Empty title={messages.nothing}>
                <p>{messages.nothingLead}</p>
              </Empty>
            ) : kind === undefined ? (
              <ResultsByKind ctx={ctx} q={q} found={page.nodes} />
            ) : (
              <ul class="rows">
                {page.nodes.map((one) => (
                  <FoundRow ctx={ctx} found={one} />
                ))}
              </ul>
            )}
            <More ctx={ctx} href={nextAddress(ctx, page)} label={messages.further} />
          </>
        )}
      </>
    ),
  };
}

function addressOf(q: string, kind?: SearchKind): string {
  return `${HERE}?${new URLSearchParams({ q, ...(kind ? { kind } : {}) })}`;
}

/** Guests cannot search for builders. */
function Kinds({ ctx, q, current }: { ctx: PageContext; q: string; current: SearchKind | undefined }) {
  const messages = ctx.messages.search;
  return (
    <nav class="choice-row" aria-label={messages.kinds}>
      <a href={addressOf(q)} aria-current={current === undefined ? "page" : undefined}>
        {messages.all}
      </a>
      {SEARCH_KINDS.filter((kind) => maySearch(readerOf(ctx), kind)).map((kind) => (
        <a href={addressOf(q, kind)} aria-current={kind === current ? "page" : undefined}>
          {messages.kind[kind]}
        </a>
      ))}
    </nav>
  );
}

/** The first results of each kind, with a link to more if there may be any. */
function ResultsByKind({ ctx, q, found }: { ctx: PageContext; q: string; found: readonly SearchResult[] }) {
  const messages = ctx.messages.search;
  return (
    <>
      {SEARCH_KINDS.map((kind) => {
        const some = found.filter((one) => one.kind === kind);
        return some.length === 0 ? (
          ""
        ) : (
          <section class="found" aria-labelledby={`found-${kind}`}>
            <h2 id={`found-${kind}`}>{messages.kind[kind]}</h2>
            <ul class="rows">
              {some.map((one) => (
                <FoundRow ctx={ctx} found={one} below />
              ))}
            </ul>
            {some.length < PREVIEW_COUNT ? (
              ""
            ) : (
              <p class="more">
                <a href={addressOf(q, kind)}>{messages.more[kind]}</a>
              </p>
            )}
          </section>
        );
      })}
    </>
  );
}

/** `below`: the row is under a heading of its kind. */
function FoundRow({ ctx, found, below = false }: { ctx: PageContext; found: SearchResult; below?: boolean }) {
  const messages = ctx.messages.search;
  const { kind, id, title, snippet, author, rootId, createdAt } = found;
  const Title = below ? "h3" : "h2";
  const rest = withoutTitle(found, title, snippet);
  return (
    <li>
      <div class="row-main">
        <Title class="row-title" dir="auto">
          <a href={new URL(found.url).pathname}>
            <bdi>{marked(found, title)}</bdi>
          </a>
        </Title>
        <p class="row-meta">
          {rootId !== null || !below ? (
            <span>{rootId === null ? messages.one[kind] : messages.one.reply} · </span>
          ) : (
            ""
          )}
          {kind === "builder" ? <bdi>{marked(found, `@${id}`)}</bdi> : ""}
          {kind === "builder" ? " · " : ""}
          {author === null ? (
            ""
          ) : (
            <a href={`/@${author}`} safe>
              {messages.by({ username: author })}
            </a>
          )}
          {author === null ? "" : " · "}
          <Ago ctx={ctx} at={createdAt} />
          {rootId === null ? "" : " · "}
          {rootId === null ? "" : <a href={`/posts/${rootId}`}>{messages.conversation}</a>}
        </p>
        {rest === "" ? "" : <Snippet html={rest} />}
      </div>
    </li>
  );
}

/** Marks the matches of a search in a line. The directory matches each word as a prefix. */
function marked({ kind, q }: SearchResult, text: string): string {
  const { terms } = parseQuestion(q);
  return markedHtml(
    matchesOf(text, kind === "builder" ? terms.map((term) => ({ ...term, isPrefix: true })) : terms),
  );
}

/** Returns the snippet without the title at its beginning. A title may be shortened inside a word. */
function withoutTitle(found: SearchResult, title: string, snippet: string): string {
  const whole = marked(found, title.replace(/\s*…$/u, ""));
  const start = snippet.startsWith(`${whole} `) ? whole : marked(found, title.replace(/\s*\S*…$/u, ""));
  if (start === "" || !snippet.startsWith(start)) return snippet;
  const rest = snippet.slice(start.length).trim();
  return title.endsWith("…") ? `… ${rest}` : rest.replace(/^…$/, "");
}

/** `html` is escaped by `markedHtml`. */
function Snippet({ html }: { html: string }) {
  return (
    <p class="snippet" dir="auto">
      {html}
    </p>
  );
}
