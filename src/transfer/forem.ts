import { type ImportedItem, faultOfImported } from "../core/services/imported/imported.ts";
import type { Caller } from "../core/identity/access/caller.ts";
import { foldUsername } from "../core/identity/builders/username.ts";
import type { Core } from "../core/base/core.ts";
import { dryRunTarget, importTarget } from "./forem-target.ts";
import { type AccountNames, refuseUnmatched } from "./forem-people.ts";
import { articlePost, commentReply } from "./forem-post.ts";
import {
  type ForemArticle,
  type ForemComment,
  type ForemPerson,
  isLeftOut,
  type LeftOut,
} from "./forem-shape.ts";

type MaybeAsyncIterable<Item> = AsyncIterable<Item> | Iterable<Item>;

/** A Forem community, or a file of one, that can be read item by item. */
export interface ForemSource {
  /** Host of the community. Imported items are identified by it. */
  host: string;
  articles: MaybeAsyncIterable<ForemArticle | LeftOut>;
  /** Number of articles, or undefined if unknown before all are read. */
  total: number | undefined;
  /** Returns an article with its text, if the list contains only a summary. */
  withText(article: ForemArticle): Promise<ForemArticle | LeftOut>;
  comments(article: ForemArticle): MaybeAsyncIterable<ForemComment | LeftOut>;
  /** Returns the person with their public profile. */
  about(person: ForemPerson): Promise<ForemPerson>;
  /** Comments that belong to no article. */
  orphanComments: Iterable<ForemComment | LeftOut>;
  /** Returns the same items, to be read before the import. The import does not repeat these requests. */
  ahead(): Pick<ForemSource, "articles" | "comments" | "orphanComments">;
}

interface Count {
  created: number;
  alreadyThere: number;
}

export interface Report {
  /** Whether the source has returned anything yet. */
  isBegun: boolean;
  people: Count;
  posts: Count;
  replies: Count;
  /** Number of posts and replies that were shortened: only the beginning of their text was imported. */
  shortened: number;
  /** People whose texts were assigned to an existing account, by the operator's table. */
  matched: { from: string; to: string }[];
  renamed: { from: string; to: string }[];
  /** The first skipped items. `skippedCount` counts all of them. */
  skipped: LeftOut[];
  skippedCount: number;
}

export interface ImportOptions {
  isDry: boolean;
  /** Existing member for each Forem account. A person without an entry gets a new account. */
  people?: AccountNames;
  /** Filled during the import, so that the report is also complete for an interrupted import. */
  report?: Report;
  progress(done: number, total: number | undefined): void;
}

export function newReport(): Report {
  return {
    isBegun: false,
    people: { created: 0, alreadyThere: 0 },
    posts: { created: 0, alreadyThere: 0 },
    replies: { created: 0, alreadyThere: 0 },
    shortened: 0,
    matched: [],
    renamed: [],
    skipped: [],
    skippedCount: 0,
  };
}

/** Maximum number of skipped items that are listed individually. */
const SKIPPED_MAX = 1000;
const CHUNK = 100;

/** Author under whom items are imported, or the reason why the items are skipped. */
type Author = { id: string; username: string | null } | { why: string };

/**
 * Imports everything that this community does not have yet (docs/contract.md#12.7). Imported items are kept
 * if the import is interrupted, and the next import continues after them.
 * Before any write, refuses people who share a username with a member and are not in `people`. With `isDry`,
 * writes nothing and returns the same report. Only the operator and an admin in person may call this. Throws
 * forbidden, and the source's errors.
 */
export async function importForem(
  core: Core,
  caller: Caller,
  source: ForemSource,
  { isDry, progress, people = new Map(), report = newReport() }: ImportOptions,
): Promise<Report> {
  const { host } = source;
  const target = (isDry ? dryRunTarget : importTarget)(core, caller, host);
  /** Items already read. If a source returns an item twice, the second copy is ignored. */
  const seen = new Set<string>();
  const authors = new Map<string, Author>();
  const profiles = new Map<string, ForemPerson>();
  let done = 0;

  await refuseUnmatched(target, source, people);
  for await (const article of source.articles) {
    report.isBegun = true;
    if (isLeftOut(article)) skip(article);
    else if (isNew(`article ${article.id}`)) await importListed(article);
    progress(++done, source.total);
  }
  report.isBegun = true;
  await importComments(source.orphanComments, undefined);
  return report;

  async function importListed(summary: ForemArticle): Promise<void> {
    const before = target.find("article", summary.id);
    if (before) {
      report.posts.alreadyThere++;
      countReturning(summary.author);
    } else if (!(await importArticle(summary))) return;
    // No new comments since the last import.
    if (before?.comments === summary.comments) return;
    const ourId = target.find("article", summary.id)?.ourId;
    if (!ourId) return;
    await importComments(source.comments(summary), ourId);
    await target.note(summary.id, summary.comments);
  }

  /** Returns whether the article is now in this community. */
  async function importArticle(summary: ForemArticle): Promise<boolean> {
    const article = await source.withText(summary);
    if (isLeftOut(article)) return skip(article);
    const { location, author } = article;
    if (!author) return skip({ location, reason: "has no author" });
    const { post, isCut } = articlePost(article, host);
    const fault = faultOfImported(core, caller, { ...post, authorId: "", parentId: null });
    if (fault !== undefined) return skip({ location, reason: fault });
    await fetchProfiles([author]);
    return target.write(() => {
      const known = authorOf(author);
      if ("why" in known) return skip({ location, reason: known.why });
      target.post("article", article.id, { ...post, authorId: known.id, parentId: null });
      report.posts.created++;
      if (isCut) report.shortened++;
      return true;
    });
  }

  /**
   * Imports comments in small transactions. `parentId` is the post that all these comments answer, if known.
   */
  async function importComments(
    comments: MaybeAsyncIterable<ForemComment | LeftOut>,
    parentId: string | undefined,
  ): Promise<void> {
    let chunk: ForemComment[] = [];
    for await (const comment of comments) {
      if (isLeftOut(comment)) skip(comment);
      else if (isNew(`comment ${comment.id}`)) chunk.push(comment);
      if (chunk.length < CHUNK) continue;
      await importChunk(chunk, parentId);
      chunk = [];
    }
    await importChunk(chunk, parentId);
  }

  async function importChunk(chunk: ForemComment[], parentId: string | undefined): Promise<void> {
    const missing = chunk.filter(({ id }) => target.find("comment", id) === undefined);
    report.replies.alreadyThere += chunk.length - missing.length;
    for (const comment of chunk) countReturning(comment.author);
    if (missing.length === 0) return;
    await fetchProfiles(missing.flatMap(({ author }) => author ?? []));
    await target.write(() => missing.forEach((comment) => importComment(comment, parentId)));
  }

  function importComment(comment: ForemComment, under: string | undefined): boolean {
    const { location, author, answers } = comment;
    const parentId =
      under ?? (comment.article === undefined ? null : target.find("article", comment.article)?.ourId);
    if (!parentId) return skip({ location, reason: "replies to an article that is not here" });
    if (!author) return skip({ location, reason: "has no author" });
    const { post, isCut } = commentReply(comment, host, answers && accountNameOf(answers));
    const fault = faultOfImported(core, caller, { ...post, authorId: "", parentId });
    if (fault !== undefined) return skip({ location, reason: fault });
    if (!target.isOpen(parentId))
      return skip({ location, reason: "replies to a post that is deleted or hidden here" });
    const known = authorOf(author);
    if ("why" in known) return skip({ location, reason: known.why });
    target.post("comment", comment.id, { ...post, authorId: known.id, parentId });
    report.replies.created++;
    if (isCut) report.shortened++;
    return true;
  }

  /** Fetches the profiles of unknown people before the transaction that creates their accounts. */
  async function fetchProfiles(people: readonly ForemPerson[]): Promise<void> {
    for (const person of people) {
      const key = foldUsername(person.username);
      if (profiles.has(key) || authors.has(key) || target.find("person", key)) continue;
      profiles.set(key, await source.about(person));
    }
  }

  /** Returns the author, and creates a missing account. Call this in a transaction. */
  function authorOf(person: ForemPerson): Author {
    const key = foldUsername(person.username);
    const known = authors.get(key);
    if (known) return known;
    const before = target.find("person", key);
    const author = before ? importedAuthor(before) : createAuthor(profiles.get(key) ?? person);
    authors.set(key, author);
    return author;
  }

  /** Counts a person who was imported before. */
  function countReturning(person: ForemPerson | undefined): void {
    const before = person && target.find("person", foldUsername(person.username));
    if (before) authorOf(person);
  }

  function importedAuthor({ ourId, username }: ImportedItem): Author {
    report.people.alreadyThere++;
    if (ourId === null) return { why: "is by a member whose account was deleted here" };
    return authorIfAllowed(ourId, username);
  }

  function authorIfAllowed(id: string, username: string | null): Author {
    return target.mayWrite(id) ? { id, username } : { why: "is by a member who is suspended here" };
  }

  function createAuthor(person: ForemPerson): Author {
    const as = people.get(foldUsername(person.username));
    const { id, username, isMember } = target.person(person, as);
    if (isMember) {
      report.matched.push({ from: person.username, to: username });
      return authorIfAllowed(id, username);
    }
    report.people.created++;
    if (username !== foldUsername(person.username))
      report.renamed.push({ from: person.username, to: username });
    return { id, username };
  }

  /** Returns a person's username in this community, for replies to that person. */
  function accountNameOf(foremName: string): string {
    const key = foldUsername(foremName);
    const known = authors.get(key);
    const here = known !== undefined && "id" in known ? known.username : target.find("person", key)?.username;
    return here ?? foremName;
  }

  function isNew(key: string): boolean {
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  }

  function skip(item: LeftOut): false {
    report.skippedCount++;
    if (report.skipped.length < SKIPPED_MAX) report.skipped.push(item);
    return false;
  }
}
