import { type Authority, createAuthority } from "../delivery/authority.ts";

/*
 * A stub of Forem's API v1: a list without texts, single articles with texts, comments as HTML trees, and
 * people.
 */

export interface FakeArticle {
  id: number;
  user: string;
  slug: string;
  title: string;
  body: string;
  at: string;
  tags?: string[];
  cover?: string | null;
  canonical?: string;
  comments?: FakeComment[];
}

export interface FakeComment {
  id: string;
  user: string | null;
  html: string;
  at: string;
  children?: FakeComment[];
}

export interface FakeForem {
  host: string;
  url: string;
  ca: string;
  asked: string[];
  articles: FakeArticle[];
  people: Map<string, { name: string; summary: string }>;
  /** Overrides the response to a path. */
  instead: (path: string) => Response | undefined;
  [Symbol.asyncDispose](): Promise<void>;
}

let authority: Promise<Authority> | undefined;

export async function fakeForem(articles: FakeArticle[] = []): Promise<FakeForem> {
  authority ??= createAuthority();
  const { pem, ...made } = await authority;
  const certificate = await made.issue(["forem.example", "127.0.0.1"]);
  const requested: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: certificate,
    fetch(request) {
      const url = new URL(request.url);
      requested.push(url.pathname + url.search);
      return forem.instead(url.pathname + url.search) ?? answer(forem, url);
    },
  });
  const forem: FakeForem = {
    host: `forem.example:${server.port}`,
    url: `https://forem.example:${server.port}`,
    ca: pem,
    asked: requested,
    articles,
    people: new Map(),
    instead: () => undefined,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
  return forem;
}

function answer(forem: FakeForem, { pathname, searchParams }: URL): Response {
  const page = Number(searchParams.get("page") ?? 1);
  const size = Number(searchParams.get("per_page") ?? 30);
  const of = <Item>(items: readonly Item[]) => items.slice((page - 1) * size, page * size);
  if (pathname === "/api/articles/latest")
    return Response.json(
      of(forem.articles.toSorted((a, b) => b.at.localeCompare(a.at))).map((fakeArticle) =>
        inList(forem, fakeArticle),
      ),
    );
  const id = /^\/api\/articles\/(\d+)$/.exec(pathname)?.[1];
  const article = forem.articles.find((article) => article.id === Number(id ?? searchParams.get("a_id")));
  if (id !== undefined && article) return Response.json(only(forem, article));
  if (pathname === "/api/comments" && article)
    return Response.json(of(article.comments ?? []).map((fakeComment) => comment(forem, fakeComment)));
  const name = searchParams.get("url") ?? "";
  if (pathname === "/api/users/by_username" && forem.people.has(name))
    return Response.json({
      type_of: "user",
      id: 1,
      username: name,
      ...forem.people.get(name),
      location: null,
    });
  return Response.json({ error: "not found", status: 404 }, { status: 404 });
}

function common(forem: FakeForem, article: FakeArticle) {
  return {
    type_of: "article",
    id: article.id,
    title: article.title,
    description: "",
    readable_publish_date: "Mar 1",
    slug: article.slug,
    path: `/${article.user}/${article.slug}`,
    url: `${forem.url}/${article.user}/${article.slug}`,
    comments_count: count(article.comments ?? []),
    public_reactions_count: 7,
    collection_id: null,
    published_timestamp: article.at,
    language: "en",
    positive_reactions_count: 7,
    cover_image: article.cover ?? null,
    social_image: "https://images.example.com/social.png",
    canonical_url: article.canonical ?? `${forem.url}/${article.user}/${article.slug}`,
    created_at: article.at,
    edited_at: null,
    crossposted_at: null,
    published_at: article.at,
    last_comment_at: article.at,
    reading_time_minutes: 3,
    user: user(forem, article.user),
  };
}

/**
 * Forem swaps the list and the text of tags between both responses:
 * https://github.com/forem/forem/issues/4206
 */
function inList(forem: FakeForem, article: FakeArticle) {
  const tags = article.tags ?? [];
  return { ...common(forem, article), tag_list: tags, tags: tags.join(", ") };
}

function only(forem: FakeForem, article: FakeArticle) {
  const tags = article.tags ?? [];
  return {
    ...common(forem, article),
    tag_list: tags.join(", "),
    tags,
    body_html: "<p>as HTML</p>",
    body_markdown: article.body,
  };
}

function user(forem: FakeForem, username: string) {
  return {
    name: forem.people.get(username)?.name ?? username,
    username,
    twitter_username: null,
    github_username: null,
    user_id: 1,
    website_url: null,
    profile_image: "https://images.example.com/face.png",
    profile_image_90: "https://images.example.com/face-90.png",
  };
}

function comment(forem: FakeForem, fakeComment: FakeComment): unknown {
  return {
    type_of: "comment",
    id_code: fakeComment.id,
    created_at: fakeComment.at,
    body_html: fakeComment.user === null ? "<p>[deleted]</p>" : fakeComment.html,
    user: fakeComment.user === null ? {} : user(forem, fakeComment.user),
    children: (fakeComment.children ?? []).map((child) => comment(forem, child)),
  };
}

function count(comments: readonly FakeComment[]): number {
  return comments.reduce((sum, { children = [] }) => sum + 1 + count(children), 0);
}
