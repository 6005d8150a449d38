import Database from "better-sqlite3";
import { closeSync, constants, openSync, statSync } from "node:fs";

/** What stands in a file that another process writes, as of one moment. */
export interface Seen {
  line: string;
  commits: number;
  posts: number;
  /** The same, counted by two indexes and by what is written with each post. */
  counts: number[];
  newest: string | null;
}

const LOOK = `
  SELECT lower(hex(line)) AS line, commits,
    (SELECT count(*) FROM posts NOT INDEXED) AS posts,
    (SELECT json_array(
      (SELECT count(*) FROM posts INDEXED BY posts_feed WHERE parent_id IS NULL AND hidden_at IS NULL),
      (SELECT count(*) FROM posts INDEXED BY posts_by_author WHERE author_id > ''),
      (SELECT count(*) FROM post_tags NOT INDEXED)
    )) AS counts,
    (SELECT max(id) FROM posts) AS newest
  FROM lineage`;

/** Reads the file of a follower by the rule of docs/scaling.md#readers-on-other-machines. */
export class Reader implements Disposable {
  readonly #path: string;
  #open:
    | { ino: number; db: Database.Database; look: Database.Statement<[], Seen & { counts: string }> }
    | undefined;
  /** How often it was open anew. */
  opened = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Undefined where there is nothing that may be read: no file, nobody who holds it, or another one by now. */
  look(): Seen | undefined {
    const ino = inodeOf(this.#path);
    if (ino !== this.#open?.ino) this[Symbol.dispose]();
    if (ino === undefined) return undefined;
    this.#open ??= this.#anew(ino);
    const { counts, ...seen } = this.#open.look.get() as Seen & { counts: string };
    if (!isHeld(this.#path) || inodeOf(this.#path) !== ino) return undefined;
    return { ...seen, counts: JSON.parse(counts) as number[] };
  }

  #anew(ino: number) {
    this.opened += 1;
    const db = new Database(this.#path, { readonly: true, timeout: 1000 });
    return { ino, db, look: db.prepare<[], Seen & { counts: string }>(LOOK) };
  }

  [Symbol.dispose](): void {
    this.#open?.db.close();
    this.#open = undefined;
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

/** Asked after the read: whoever died in the middle of it is gone by then. */
function isHeld(path: string): boolean {
  try {
    closeSync(openSync(`${path}-held`, constants.O_WRONLY | constants.O_NONBLOCK));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}
