import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError, readConfig } from "../../src/config/config.ts";
import { createMember, openTestServer } from "../support.ts";
import { codes, graph } from "./ask.ts";

const TRUSTED = "query Costs { rateLimit { cost } }";
const HASH = createHash("sha256").update(TRUSTED).digest("hex");

function withFile<Result>(content: unknown, work: (file: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-documents-"));
  const file = join(folder, "documents.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  try {
    return work(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("runs a trusted document by its hash, in both spellings of clients", async () => {
  await using server = withFile({ [HASH]: TRUSTED }, (file) =>
    openTestServer({ env: { GUILDHALL_GRAPHQL_DOCUMENTS: file } }),
  );
  const { token } = createMember(server.core, "ada");
  const persisted = { persistedQuery: { version: 1, sha256Hash: HASH } };
  const documents = [
    { documentId: `sha256:${HASH}` },
    { documentId: HASH },
    { extensions: persisted },
    { query: TRUSTED, extensions: persisted },
    { query: "{ viewer { scopes } }" },
  ];
  for (const request of documents) {
    const answer = await graph(server, token, "", { body: JSON.stringify(request) });
    expect([JSON.stringify(request), answer.body.errors]).toEqual([JSON.stringify(request), undefined]);
  }
  const query = `?documentId=sha256:${HASH}`;
  expect((await graph(server, token, "", { method: "GET", query })).body.data).toEqual({
    rateLimit: { cost: 2 },
  });
  for (const request of [
    { documentId: `sha256:${"0".repeat(64)}` },
    { query: "{ viewer { scopes } }", extensions: persisted },
    {},
  ]) {
    const answer = await graph(server, token, "", { body: JSON.stringify(request) });
    expect([answer.status, codes(answer)]).toEqual([400, ["bad_request"]]);
  }
});

test("in trusted-only mode, refuses every other document", async () => {
  const env = { GUILDHALL_GRAPHQL_DOCUMENTS_ONLY: "true" };
  await using server = withFile({ [HASH]: TRUSTED }, (file) =>
    openTestServer({ env: { ...env, GUILDHALL_GRAPHQL_DOCUMENTS: file } }),
  );
  const { token } = createMember(server.core, "ada");
  expect((await graph(server, token, TRUSTED)).body.data).toEqual({ rateLimit: { cost: 2 } });
  for (const document of ["{ viewer { scopes } }", `${TRUSTED} `, "{ __schema { queryType { name } } }"]) {
    const answer = await graph(server, token, document);
    expect([answer.status, codes(answer)]).toEqual([400, ["bad_request"]]);
  }
  const page = await graph(server, undefined, "", { method: "GET", headers: { accept: "text/html" } });
  expect(page.status).toBe(404);
});

test("refuses to start with a file whose hashes do not match its documents", () => {
  for (const content of [{ [HASH]: `${TRUSTED} ` }, { [HASH]: 1 }, "not JSON", { abc: TRUSTED }]) {
    withFile(content, (file) =>
      expect(() => readConfig({ GUILDHALL_GRAPHQL_DOCUMENTS: file })).toThrow(ConfigError),
    );
  }
});
