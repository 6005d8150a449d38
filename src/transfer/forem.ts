import { type ImportedItem, faultOfImported } from "../core/services/imported/imported.ts";
import type { Caller } from "../core/identity/access/caller.ts";
import { foldUsername } from "../core/identity/builders/username.ts";
import type { Core } from "../core/base/core.ts";
import { dryRunTarget, importTarget } from "./forem-target.ts";
import { type People, refuseUnmatched } from "./forem-people.ts";
import { articlePost, commentReply } from "./forem-post.ts";
import {
  type ForemArticle,
  type ForemComment,
  type ForemPerson,
  isLeftOut,
  type LeftOut,
} from "./forem-shape.ts";

type Walk<Item> = AsyncIterable<Item> | Iterable<Item>;

/** A Forem, or a file of one, as it is walked. */
export interface ForemSource {
  /** Of the community: what came from there is known by it. */
  host: string;
  /** All articles, one after the other. */
  articles: Walk<ForemArticle | LeftOut>;
  /** How many there are; undefined where only the walk tells. */
  total: number | undefined;
  /** An article with its text, where the walk tells only of it. */
  whole(article: ForemArticle): Promise<ForemArticle | LeftOut>;
  comments(article: ForemArticle): Walk<ForemComment | LeftOut>;
  /** What is told of a person beside their name. */
  about(person: ForemPerson): Promise<ForemPerson>;
  /** Comments that stand with no article. */
  loose: Iterable<ForemComment | LeftOut>;
  /** The same walk, to look at what is to come. What it asks for is not asked for again by this one. */
  ahead(): Pick<ForemSource, "articles" | "comments" | "loose">;
}

interface Count {
  made: number;
  there: number;
}

/** What came of an import so far. */
export interface Report {
  /** Whether anything of the source was seen. */
  isBegun: boolean;
  people: Count;
  posts: Count;
  replies: Count;
  /** Posts and replies of which a beginning stands here. */
  shortened: number;
  /** People whose texts went to an account that is here, by the operator's table. */
  matched: { from: string; to: string }[];
  /** Who is called otherwise here. */
  renamed: { from: string; to: string }[];
  /** The first of what was left out; `leftOut` counts all. */
  left: LeftOut[];
  leftOut: number;
}

export interface ImportOptions {
  isDry: boolean;
  /** The member of each Forem account that has one here. Left out, every person gets a new account. */
  people?: People;
  /** Filled in on the way, so that it tells of a walk that is cut, too. */
  report?: Report;
  progress(done: number, total: number | undefined): void;
}

export function newReport(): Report {
  return {
    isBegun: false,
    people: { made: 0, there: 0 },
    posts: { made: 0, there: 0 },
    replies: { made: 0, there: 0 },
    shortened: 0,
    matched: [],
    renamed: [],
    left: [],
    leftOut: 0,
  };
}

/** So many of what was left out are told one by one. */
const LEFT_MAX = 1000;
/** So many comments are written in one transaction. */
const CHUNK = 100;

/** Somebody whose things are brought along, or why they are not. */
type Author = { id: string; username: string | null } | { why: string };

/**
 * Brings in what a Forem has and is not here yet (docs/contract.md#12.7). What has come stays when the walk
 * is cut, and the next one goes on behind it. Before anything is written, people who share a username with a
 * member and are not in `people` are refused. With `isDry` nothing is written, and the report is the same.
 * For the operator and admins in person. Throws forbidden, and whatever the source throws.
 */
export async function importForem(
  core: Core,
  caller: Caller,
  source: ForemSource,
  { isDry, progress, people = new Map(), report = newReport() }: ImportOptions,
): Promise<Report> {
  const { host } = source;
  const ours = (isDry ? dryRunTarget : importTarget)(core, caller, host);
  /** What a source tells twice is taken the first time. */
  const seen = new Set<string>();
  const authors = new Map<string, Author>();
  /** Those who are to come with what they wrote. */
  const strangers = new Map<string, ForemPerson>();
  let done = 0;

  await refuseUnmatched(ours, source, people);
  for await (const article of source.articles) {
    report.isBegun = true;
    if (isLeftOut(article)) leave(article);
    else if (isNew(`article ${article.id}`)) await importOne(article);
    progress(++done, source.total);
  }
  report.isBegun = true;
  await importComments(source.loose, undefined);
  return report;

  async function importOne(told: ForemArticle): Promise<void> {
    const before = ours.find("article", told.id);
    if (before) {
      report.posts.there++;
      meet(told.author);
    } else if (!(await importArticle(told))) return;
    // Nothing new was said there since.
    if (before?.comments === told.comments) return;
    const ourId = ours.find("article", told.id)?.ourId;
    if (!ourId) return;
    await importComments(source.comments(told), ourId);
    await ours.note(told.id, told.comments);
  }

  /** Whether it is here now. */
  async function importArticle(told: ForemArticle): Promise<boolean> {
    const article = await source.whole(told);
    if (isLeftOut(article)) return leave(article);
    const { place, author } = article;
    if (!author) return leave({ place, why: "has no author" });
    const { post, isCut } = articlePost(article, host);
    const fault = faultOfImported(core, caller, { ...post, authorId: "", parentId: null });
    if (fault !== undefined) return leave({ place, why: fault });
    await getToKnow([author]);
    return ours.write(() => {
      const known = authorOf(author);
      if ("why" in known) return leave({ place, why: known.why });
      ours.post("article", article.id, { ...post, authorId: known.id, parentId: null });
      report.posts.made++;
      if (isCut) report.shortened++;
      return true;
    });
  }

  /** In small transactions; `parentId` is what all of them answer, where it is one. */
  async function importComments(
    comments: Walk<ForemComment | LeftOut>,
    parentId: string | undefined,
  ): Promise<void> {
    let chunk: ForemComment[] = [];
    for await (const comment of comments) {
      if (isLeftOut(comment)) leave(comment);
      else if (isNew(`comment ${comment.id}`)) chunk.push(comment);
      if (chunk.length < CHUNK) continue;
      await importChunk(chunk, parentId);
      chunk = [];
    }
    await importChunk(chunk, parentId);
  }

  async function importChunk(chunk: ForemComment[], parentId: string | undefined): Promise<void> {
    const missing = chunk.filter(({ id }) => ours.find("comment", id) === undefined);
    report.replies.there += chunk.length - missing.length;
    for (const comment of chunk) meet(comment.author);
    if (missing.length === 0) return;
    await getToKnow(missing.flatMap(({ author }) => author ?? []));
    await ours.write(() => missing.forEach((comment) => importComment(comment, parentId)));
  }

  function importComment(comment: ForemComment, under: string | undefined): boolean {
    const { place, author, answers } = comment;
    const parentId =
      under ?? (comment.article === undefined ? null : ours.find("article", comment.article)?.ourId);
    if (!parentId) return leave({ place, why: "replies to an article that is not here" });
    if (!author) return leave({ place, why: "has no author" });
    const { post, isCut } = commentReply(comment, host, answers && nameHere(answers));
    const fault = faultOfImported(core, caller, { ...post, authorId: "", parentId });
    if (fault !== undefined) return leave({ place, why: fault });
    if (!ours.isOpen(parentId))
      return leave({ place, why: "replies to a post that is deleted or hidden here" });
    const known = authorOf(author);
    if ("why" in known) return leave({ place, why: known.why });
    ours.post("comment", comment.id, { ...post, authorId: known.id, parentId });
    report.replies.made++;
    if (isCut) report.shortened++;
    return true;
  }

  /** Asks what is told of people whom nobody here knows, before the transaction in which they come. */
  async function getToKnow(people: readonly ForemPerson[]): Promise<void> {
    for (const person of people) {
      const key = foldUsername(person.username);
      if (strangers.has(key) || authors.has(key) || ours.find("person", key)) continue;
      strangers.set(key, await source.about(person));
    }
  }

  /** In a transaction: who is not here comes now. */
  function authorOf(person: ForemPerson): Author {
    const key = foldUsername(person.username);
    const known = authors.get(key);
    if (known) return known;
    const before = ours.find("person", key);
    const author = before ? returning(before) : welcome(strangers.get(key) ?? person);
    authors.set(key, author);
    return author;
  }

  /** Counts somebody who came before. */
  function meet(person: ForemPerson | undefined): void {
    const before = person && ours.find("person", foldUsername(person.username));
    if (before) authorOf(person);
  }

  function returning({ ourId, username }: ImportedItem): Author {
    report.people.there++;
    if (ourId === null) return { why: "is by a member whose account was deleted here" };
    return writing(ourId, username);
  }

  function writing(id: string, username: string | null): Author {
    return ours.mayWrite(id) ? { id, username } : { why: "is by a member who is suspended here" };
  }

  function welcome(person: ForemPerson): Author {
    const as = people.get(foldUsername(person.username));
    const { id, username, isMember } = ours.person(person, as);
    if (isMember) {
      report.matched.push({ from: person.username, to: username });
      return writing(id, username);
    }
    report.people.made++;
    if (username !== foldUsername(person.username))
      report.renamed.push({ from: person.username, to: username });
    return { id, username };
  }

  /** What somebody of there is called here, for those who answered them. */
  function nameHere(there: string): string {
    const key = foldUsername(there);
    const known = authors.get(key);
    const here = known !== undefined && "id" in known ? known.username : ours.find("person", key)?.username;
    return here ?? there;
  }

  function isNew(key: string): boolean {
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  }

  function leave(what: LeftOut): false {
    report.leftOut++;
    if (report.left.length < LEFT_MAX) report.left.push(what);
    return false;
  }
}
