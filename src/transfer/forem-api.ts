import { zstdCompressSync, zstdDecompressSync } from "bun";
import type { ForemSource } from "./forem.ts";
import {
  commentsIn,
  type ForemArticle,
  type ForemComment,
  type ForemPerson,
  isFields,
  isLeftOut,
  type LeftOut,
  personOf,
  readArticle,
} from "./forem-shape.ts";
import { TransferRefused } from "./transfer-refused.ts";

/**
 * Reads a Forem community through its public API v1. The list of articles contains neither texts nor
 * comments. So each new article costs two requests: its text and its comments. Each new person costs one
 * request.
 */

/**
 * Requests a path of the community. Resolves to undefined if the path does not exist. Throws TransferRefused.
 */
export type Get = (path: string) => Promise<unknown>;

const PAGE = 100;
/**
 * Maximum number of pages of articles, which is a million articles in total. A server with more pages repeats
 * itself.
 */
const PAGES_MAX = 10_000;
const COMMENT_PAGES_MAX = 1000;

export function foremApi(host: string, get: Get): ForemSource {
  const kept = new Map<string, Uint8Array>();
  const keeping: Get = async (path) => {
    const answer = await get(path);
    kept.set(path, zstdCompressSync(answer === undefined ? "" : JSON.stringify(answer)));
    return answer;
  };
  const getAgain: Get = async (path) => {
    const answer = kept.get(path);
    if (!answer) return get(path);
    kept.delete(path);
    const text = new TextDecoder().decode(zstdDecompressSync(answer));
    return text === "" ? undefined : JSON.parse(text);
  };
  return { ...sourceBy(host, getAgain), ahead: () => sourceBy(host, keeping) };
}

function sourceBy(host: string, get: Get): Omit<ForemSource, "ahead"> {
  return {
    host,
    total: undefined,
    articles: articles(host, get),
    async withText({ number, location, comments }) {
      const answer = await get(`/api/articles/${number}`);
      if (answer === undefined) return { location, reason: "no longer exists" };
      const article = readArticle(answer, location);
      return isLeftOut(article) ? article : { ...article, comments };
    },
    comments: (article) => comments(article, get),
    about: (person) => about(person, get),
    orphanComments: [],
  };
}

async function* articles(host: string, get: Get): AsyncGenerator<ForemArticle | LeftOut> {
  const seen = new Set<string>();
  for (let page = 1; page <= PAGES_MAX; page++) {
    const list = await get(`/api/articles/latest?page=${page}&per_page=${PAGE}`);
    if (!Array.isArray(list))
      throw new TransferRefused(`${host} does not answer like a Forem: its articles are not a list.`);
    const before = seen.size;
    for (const [index, value] of list.entries()) {
      const article = readArticle(value, `article ${index + 1} of page ${page}`);
      if (!isLeftOut(article)) {
        // Skips an article of an earlier page. New articles push older articles to the next page during the
        // import.
        if (seen.has(article.id)) continue;
        seen.add(article.id);
        if (article.number === undefined) {
          yield { location: article.location, reason: "has no id" };
          continue;
        }
      }
      yield article;
    }
    // A page without new articles ends the import, even if the server returns more pages.
    if (seen.size === before) return;
  }
}

async function* comments(
  { number, location, comments: statedCount }: ForemArticle,
  get: Get,
): AsyncGenerator<ForemComment | LeftOut> {
  if (statedCount === 0) return;
  const roots = new Set<unknown>();
  for (let page = 1; page <= COMMENT_PAGES_MAX; page++) {
    const tree = await get(`/api/comments?a_id=${number}&page=${page}&per_page=${PAGE}`);
    if (tree === undefined) return;
    const before = roots.size;
    if (Array.isArray(tree)) for (const root of tree) roots.add(isFields(root) ? root["id_code"] : root);
    // Stops at a page without new comments, because a server without paging returns all comments each time.
    if (Array.isArray(tree) && roots.size === before) return;
    yield* commentsIn(tree, location);
    if (!Array.isArray(tree) || tree.length < PAGE) return;
  }
}

async function about(person: ForemPerson, get: Get): Promise<ForemPerson> {
  const found = personOf(await get(`/api/users/by_username?url=${encodeURIComponent(person.username)}`));
  return found ? { ...found, username: person.username } : person;
}
