import Database from "better-sqlite3";
import { idOfFile, isHeld } from "../../src/cluster/file.ts";

/** What stands in the file of a follower, as of one moment. */
export interface Seen {
  line: string;
  commits: number;
  posts: number;
  /** The same, counted by two indexes and by what is written with each post, as JSON. */
  counts: string;
}

/** Counts everything: for as many posts as a test writes. */
export const ALL = `
  SELECT lower(hex(line)) AS line, commits,
    (SELECT count(*) FROM posts NOT INDEXED) AS posts,
    (SELECT json_array(
      (SELECT count(*) FROM posts INDEXED BY posts_feed WHERE parent_id IS NULL AND hidden_at IS NULL),
      (SELECT count(*) FROM posts INDEXED BY posts_by_author WHERE author_id > ''),
      (SELECT count(*) FROM post_tags NOT INDEXED)
    )) AS counts
  FROM lineage`;

/** Reads the file of a follower by the rule of docs/scaling.md#when-the-file-may-be-read. */
export class Reader<Row> implements Disposable {
  readonly #path: string;
  readonly #sql: string;
  #open: { id: string; db: Database.Database; look: Database.Statement<[], Row> } | undefined;
  /** How often it was open anew. */
  opened = 0;

  constructor(path: string, sql: string) {
    this.#path = path;
    this.#sql = sql;
  }

  /** Undefined where there is nothing that may be read: no file, nobody who holds it, or another one by now. */
  look(): Row | undefined {
    const id = idOfFile(this.#path);
    if (id !== this.#open?.id) this[Symbol.dispose]();
    if (id === undefined) return undefined;
    this.#open ??= this.#anew(id);
    const row = this.#open.look.get();
    return isHeld(this.#path) && idOfFile(this.#path) === id ? row : undefined;
  }

  #anew(id: string) {
    this.opened += 1;
    const db = new Database(this.#path, { readonly: true, timeout: 1000 });
    return { id, db, look: db.prepare<[], Row>(this.#sql) };
  }

  [Symbol.dispose](): void {
    this.#open?.db.close();
    this.#open = undefined;
  }
}

export const isTorn = ({ posts, counts }: Seen): boolean =>
  (JSON.parse(counts) as number[]).some((count) => count !== posts);
