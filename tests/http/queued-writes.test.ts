import { expect, test } from "bun:test";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { continueDeletion, deleteAccount } from "../../src/core/services/deletion/deletion.ts";
import { codes, graph } from "../graphql/ask.ts";
import { rows } from "../spec/rows.ts";
import { type TestServer, createMember, openTestServer } from "../support.ts";
import { createAccountOf, openSite, signedInAs } from "../web/support.ts";
import { setSuspended } from "../../src/core/delegation/securing/suspension.ts";

/** Queues `first` right before the next write, so that both run in one batch in this order. */
function overtake({ core }: TestServer, first: () => void): void {
  const { db } = core;
  const write = <Result>(change: () => Result): Promise<Result> => {
    (core as { db: typeof db }).db = db;
    void db.write(first);
    return db.write(change);
  };
  (core as { db: typeof db }).db = { ...db, write };
}

const POST = 'mutation { createPost(input: { text: "late" }) { post { id } } }';
const KEY = { "idempotency-key": "k" };
const statusOf = async (server: TestServer, token: string, headers: Record<string, string>) =>
  (await server.request(token, "/feed", { method: "POST", body: { text: "late" }, headers })).status;

const WAYS: Record<string, (server: TestServer, token: string) => Promise<unknown>> = {
  "POST /v1/feed": (server, token) => statusOf(server, token, {}),
  "POST /v1/feed with a key": (server, token) => statusOf(server, token, KEY),
  "POST /graphql": async (server, token) => codes(await graph(server, token, POST))[0],
  "POST /graphql with a key": async (server, token) =>
    codes(await graph(server, token, POST, { headers: KEY }))[0],
};

for (const [name, ask] of Object.entries(WAYS)) {
  test(`a write queued behind the end of its own account stores and sends nothing: ${name}`, async () => {
    for (const end of [
      (server: TestServer) => deleteAccount(server.core, OPERATOR, "ada", "ada"),
      (server: TestServer) => setSuspended(server.core, OPERATOR, "ada", true),
      (server: TestServer) => {
        deleteAccount(server.core, OPERATOR, "ada", "ada");
        while (continueDeletion(server.core));
      },
    ]) {
      await using server = openTestServer();
      const { token } = createMember(server.core, "ada");
      overtake(server, () => end(server));
      expect<unknown[]>([401, "unauthorized"]).toContain(await ask(server, token));
      for (const table of ["posts", "events", "idempotency_keys", "xp_entries"])
        expect(rows(server.core, `SELECT * FROM ${table}`)).toEqual([]);
    }
  });
}

test("a form queued behind the end of its own account stores and sends nothing", async () => {
  await using site = openSite();
  await createAccountOf(site, "ada");
  const ada = signedInAs(site, "ada");
  const page = await ada.open("/");
  overtake(site, () => setSuspended(site.core, OPERATOR, "ada", true));
  await ada.submit(page, "/posts", { text: "late" });
  for (const table of ["posts", "events", "xp_entries"])
    expect(rows(site.core, `SELECT * FROM ${table}`)).toEqual([]);
});

test("a deleted account gets no earlier response again by its idempotency key, at any moment", async () => {
  await using server = openTestServer();
  const { token } = createMember(server.core, "ada");
  expect(await statusOf(server, token, KEY)).toBe(201);
  expect(await statusOf(server, token, KEY)).toBe(201);
  deleteAccount(server.core, OPERATOR, "ada", "ada");
  expect(await statusOf(server, token, KEY)).toBe(401);
  expect(codes(await graph(server, token, POST, { headers: KEY }))).toEqual(["unauthorized"]);
  while (server.core.db.transact(() => continueDeletion(server.core)));
  expect(await statusOf(server, token, KEY)).toBe(401);
  expect(rows(server.core, "SELECT * FROM idempotency_keys")).toEqual([]);
});
