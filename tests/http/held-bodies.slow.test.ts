import { connect } from "node:net";
import { expect, test } from "bun:test";
import { revokeToken } from "../../src/core/delegation/tokens/tokens.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createMember, openTestServer } from "../support.ts";

/**
 * Sends a request without the last byte of its body, runs a callback, then sends that byte. Returns the
 * response status.
 */
async function statusOfBufferedRequest(
  url: string,
  path: string,
  token: string,
  body: string,
  meanwhile: () => void,
): Promise<number> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let answer = "";
  socket.on("data", (bytes) => (answer += bytes.toString()));
  const closed = new Promise<void>((done) => socket.on("close", () => done()));
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      "Host: 127.0.0.1",
      `Authorization: Bearer ${token}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      "Connection: close",
      "",
      body.slice(0, -1),
    ].join("\r\n"),
  );
  await Bun.sleep(100);
  meanwhile();
  socket.write(body.slice(-1));
  await closed;
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

const POST = JSON.stringify({ text: "held back" });
const MUTATION = JSON.stringify({
  query: 'mutation { createPost(input: { text: "held back" }) { post { id } } }',
});

for (const [path, body] of [
  ["/v1/feed", POST],
  ["/graphql", MUTATION],
] as const) {
  test(`a body that is held back until its token is revoked stores nothing: POST ${path}`, async () => {
    await using server = openTestServer();
    const { token } = createMember(server.core, "ada");
    const posts = () => server.core.db.prepare<{ n: number }>("SELECT count(*) AS n FROM posts").get()?.n;
    const nothing = (): void => {};
    const allowed = await statusOfBufferedRequest(server.url, path, token, body, nothing);
    expect([allowed < 300, posts()]).toEqual([true, 1]);
    const revoked = await statusOfBufferedRequest(server.url, path, token, body, () =>
      revokeToken(server.core, OPERATOR, token),
    );
    expect([revoked, posts()]).toEqual([401, 1]);
  });
}
