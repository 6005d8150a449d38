import Database from "better-sqlite3";
import { existsSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../scripts/run.ts";
import { newPost, type Rows, TAG } from "./rows.ts";
import { jsonOf, freePort, json, type Peer, started } from "./peer.ts";
import { cacheFolder, VERSIONS } from "./versions.ts";

/** PocketBase unchanged, except for the setting that controls whether a response is durable. */
const MAIN = `package main

import (
	"log"
	"os"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase"
	_ "modernc.org/sqlite"
)

func main() {
	app := pocketbase.NewWithConfig(pocketbase.Config{
		DBConnect: func(path string) (*dbx.DB, error) {
			return dbx.Open("sqlite", path+"?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)"+
				"&_pragma=journal_size_limit(200000000)&_pragma=synchronous("+os.Getenv("SYNCHRONOUS")+")"+
				"&_pragma=foreign_keys(ON)&_pragma=temp_store(MEMORY)&_pragma=cache_size(-32000)")
		},
	})
	if err := app.Start(); err != nil {
		log.Fatal(err)
	}
}
`;

const SUPERUSER = "bench@example.org";
const PASSWORD = "correct horse battery";
const SIGNED_IN = '@request.auth.id != ""';

/**
 * Returns the path of the program, and builds it on first use. Throws with the reason if it cannot be built.
 */
export async function pocketbase(): Promise<string> {
  const folder = cacheFolder("pocketbase");
  const program = join(folder, "pocketbase");
  if (existsSync(program)) return program;
  if (!Bun.which("go")) throw new Error("there is no go here to build it");
  mkdirSync(folder, { recursive: true });
  await Bun.write(join(folder, "main.go"), MAIN);
  if (!existsSync(join(folder, "go.mod"))) await run(folder, ["go", "mod", "init", "peer"]);
  await run(folder, ["go", "get", `github.com/pocketbase/pocketbase@${VERSIONS.pocketbase}`]);
  await run(folder, ["go", "mod", "tidy"]);
  await run(folder, ["go", "build", "-o", "built", "."]);
  renameSync(join(folder, "built"), program);
  return program;
}

/**
 * Fills a new folder with the rows: collections through PocketBase's API, rows with SQL while PocketBase is
 * stopped.
 */
export async function fillPocketbase(program: string, folder: string, rows: Rows): Promise<void> {
  await run(".", [program, "superuser", "upsert", SUPERUSER, PASSWORD, "--dir", folder], {
    SYNCHRONOUS: "FULL",
  });
  {
    await using server = await startServer(program, folder, "FULL");
    const token = await signIn(server.url, "_superusers", SUPERUSER);
    const create = async (collection: object): Promise<string> => {
      const created = await fetch(`${server.url}/api/collections`, json(collection, token));
      return (await jsonOf<{ id: string }>(created)).id;
    };
    const authors = await create({
      name: "authors",
      type: "auth",
      listRule: SIGNED_IN,
      viewRule: SIGNED_IN,
      fields: [
        { name: "username", type: "text", required: true },
        { name: "name", type: "text" },
      ],
      indexes: ["CREATE UNIQUE INDEX authors_username ON authors (username)"],
    });
    await create({
      name: "posts",
      type: "base",
      listRule: SIGNED_IN,
      viewRule: SIGNED_IN,
      createRule: `${SIGNED_IN} && @request.body.author = @request.auth.id`,
      fields: [
        { name: "author", type: "relation", collectionId: authors, maxSelect: 1, required: true },
        { name: "text", type: "text", required: true, max: 2000 },
        { name: "tags", type: "json" },
        { name: "likes", type: "number", onlyInt: true },
        { name: "replies", type: "number", onlyInt: true },
        { name: "created", type: "autodate", onCreate: true },
      ],
      indexes: [
        "CREATE INDEX posts_created ON posts (created)",
        "CREATE INDEX posts_author ON posts (author)",
      ],
    });
  }
  const db = new Database(join(folder, "data.db"));
  const author = db.prepare(
    "INSERT INTO authors (id, email, tokenKey, password, verified, username, name) VALUES (?, ?, ?, ?, 1, ?, ?)",
  );
  const post = db.prepare(
    "INSERT INTO posts (id, author, text, tags, likes, replies, created) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const password = await Bun.password.hash(PASSWORD, { algorithm: "bcrypt", cost: 10 });
  db.transaction(() => {
    for (const [n, { username, name }] of rows.authors.entries())
      author.run(
        idOf(n),
        `${username}@example.org`,
        `${username}${"k".repeat(50)}`,
        password,
        username,
        name,
      );
    for (const [n, { author: by, text, tags, likes, replies, createdAt }] of rows.posts.entries()) {
      const at = new Date(createdAt).toISOString().replace("T", " ");
      post.run(idOf(n), idOf(by), text, JSON.stringify(tags), likes, replies, at);
    }
  })();
  db.exec("ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}

interface PocketbaseOptions {
  /** With `FULL`, a write is on disk before the response. `NORMAL` is PocketBase's default. */
  synchronous: "FULL" | "NORMAL";
  /** Whether PocketBase logs each request in its second database. This is its default. */
  logs: boolean;
}

export async function startPocketbase(
  program: string,
  folder: string,
  { synchronous, logs }: PocketbaseOptions,
  rows: Rows,
): Promise<Peer> {
  const server = await startServer(program, folder, synchronous);
  const root = await signIn(server.url, "_superusers", SUPERUSER);
  const settings = { ...json({ logs: { maxDays: logs ? 5 : 0 } }, root), method: "PATCH" };
  await jsonOf(await fetch(`${server.url}/api/settings`, settings));
  const member = rows.authors[0]?.username ?? "";
  const token = await signIn(server.url, "authors", `${member}@example.org`);
  const headers = { authorization: token };
  const list = "/api/collections/posts/records?perPage=20&skipTotal=1&sort=-created&expand=author";
  const texts = (answer: unknown): string[] => {
    const { items } = answer as { items: { text: string; expand: { author: { username: string } } }[] };
    return items.map(({ text, expand }) => `${expand.author.username}: ${text}`);
  };
  return {
    ...server,
    name: `PocketBase, synchronous ${synchronous}${logs ? "" : ", without its log"}`,
    requests: {
      feed: { path: list, headers, texts },
      tag: { path: `${list}&filter=${encodeURIComponent(`tags ~ '"${TAG}"'`)}`, headers, texts },
      write: {
        path: "/api/collections/posts/records",
        headers,
        body: (count) => JSON.stringify({ author: idOf(0), ...newPost(count) }),
        texts: (answer) => [(answer as { text: string }).text],
      },
    },
  };
}

async function startServer(program: string, folder: string, synchronous: string) {
  const address = `127.0.0.1:${await freePort()}`;
  const url = `http://${address}`;
  const { pid, ...server } = await started(
    [program, "serve", "--http", address, "--dir", folder],
    { SYNCHRONOUS: synchronous },
    async () => (await fetch(`${url}/api/health`)).ok,
  );
  return { url, pids: { server: pid }, ...server };
}

async function signIn(url: string, collection: string, identity: string): Promise<string> {
  const credentials = json({ identity, password: PASSWORD });
  const answer = await fetch(`${url}/api/collections/${collection}/auth-with-password`, credentials);
  return (await jsonOf<{ token: string }>(answer)).token;
}

/** Returns a PocketBase id: 15 characters of a to z and 0 to 9. */
function idOf(n: number): string {
  return n.toString(36).padStart(15, "0");
}
