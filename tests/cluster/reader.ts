import Database from "better-sqlite3";
import { idOfFile, isHeld } from "../../src/cluster/database-file.ts";

export interface Observation {
  line: string;
  commits: number;
  posts: number;
  /** The number of posts by two indexes, and the number of tags, as a JSON array. */
  counts: string;
}

/** Counts every row, so only for the few posts of a test. */
export const ALL = `
  SELECT lower(hex(line)) AS line, commits,
    (SELECT count(*) FROM posts NOT INDEXED) AS posts,
    (SELECT json_array(
      (SELECT count(*) FROM posts INDEXED BY posts_feed WHERE parent_id IS NULL AND hidden_at IS NULL),
      (SELECT count(*) FROM posts INDEXED BY posts_by_author WHERE author_id > ''),
      (SELECT count(*) FROM post_tags NOT INDEXED)
    )) AS counts
  FROM lineage`;

/** Longest time that the system needs to end a killed process on a busy machine. */
export const ENDS_WITHIN_MS = 2000;

/** Reads the file of a follower by the rule of docs/scaling.md#when-the-file-may-be-read. */
export class Reader<Row> implements Disposable {
  readonly #path: string;
  readonly #sql: string;
  #open: { id: string; db: Database.Database; look: Database.Statement<[], Row> } | undefined;
  /** How often the reader opened a new file. */
  opened = 0;

  constructor(path: string, sql: string) {
    this.#path = path;
    this.#sql = sql;
  }

  /**
   * Reads one row. Returns undefined if the file must not be trusted: it is missing, not held, or replaced.
   * Throws SQLite's error if
   * the file passes these checks but is only partly updated.
   */
  look(): Row | undefined {
    const id = idOfFile(this.#path);
    if (id !== this.#open?.id) this[Symbol.dispose]();
    if (id === undefined) return undefined;
    try {
      this.#open ??= this.#anew(id);
      const row = this.#open.look.get();
      return this.#mayBelieve(id) ? row : undefined;
    } catch (error) {
      this[Symbol.dispose]();
      if (this.#mayBelieve(id)) throw error;
      return undefined;
    }
  }

  /**
   * Whether the engine that held the file was being killed. The system drops SQLite's locks a moment before
   * it closes the pipe, so a reader can see a partial update in between.
   */
  async isAbandoned(): Promise<boolean> {
    const until = performance.now() + ENDS_WITHIN_MS;
    while (performance.now() < until) {
      if (!isHeld(this.#path) || idOfFile(this.#path) === undefined) return true;
      await Bun.sleep(1);
    }
    return false;
  }

  #mayBelieve(id: string): boolean {
    return isHeld(this.#path) && idOfFile(this.#path) === id;
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

export const isTorn = ({ posts, counts }: Observation): boolean =>
  (JSON.parse(counts) as number[]).some((count) => count !== posts);
