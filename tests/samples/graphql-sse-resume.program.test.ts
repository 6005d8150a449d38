// Tests docs/contract.md#8.10 with the sample linked from docs/graphql.md.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { revokeToken } from "../../src/core/delegation/tokens/tokens.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { createMember, openTestServer } from "../support.ts";

const SAMPLE = join(import.meta.dir, "../../docs/samples/graphql-sse-resume/resume.js");

test("the graphql-sse sample that resumes prints each post once, despite lost connections", async () => {
  await using server = openTestServer();
  const { token, caller } = createMember(server.core, "ada");
  using proxy = proxyTo(server.url);
  const child = Bun.spawn([process.execPath, SAMPLE], {
    env: { ...process.env, GUILDHALL_URL: proxy.url, GUILDHALL_TOKEN: token },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [lines, notes] = [linesOf(child.stdout), linesOf(child.stderr)];
  const post = (text: string) => createPost(server.core, caller, { text });

  // The connection breaks before the first post, and once after each of two posts.
  expect(await notes.next()).toBe("Connected.");
  proxy.drop();
  post("one");
  post("two");
  expect([await lines.next(), await lines.next()]).toEqual(["ada: one", "ada: two"]);
  for (const round of ["a", "b"]) {
    proxy.drop();
    post(`${round}1`);
    post(`${round}2`);
    expect([await lines.next(), await lines.next()]).toEqual([`ada: ${round}1`, `ada: ${round}2`]);
  }
  post("last");
  expect(await lines.next()).toBe("ada: last");

  revokeToken(server.core, OPERATOR, token);
  expect(await child.exited).toBe(0);
  expect(await lines.next()).toBeUndefined();
  // One reconnection per break.
  for (let i = 0; i < 3; i++) expect(await notes.next()).toBe("Connected.");
  expect(await notes.next()).toStartWith("The stream is complete");
});

interface Proxy extends Disposable {
  url: string;
  /** Breaks all open connections. */
  drop(): void;
}

function proxyTo(target: string): Proxy {
  const { hostname, port } = new URL(target);
  const open = new Set<{ terminate(): void }>();
  const server = Bun.listen<{ forward: (chunk: Uint8Array) => void; end: () => void }>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(client) {
        open.add(client);
        const upstream = Bun.connect({
          hostname,
          port: Number(port),
          socket: {
            data: (_, chunk) => void client.write(chunk),
            close: () => void client.end(),
          },
        });
        client.data = {
          forward: (chunk) => void upstream.then((socket) => socket.write(chunk)),
          end: () => void upstream.then((socket) => socket.end()),
        };
      },
      data: (client, chunk) => client.data.forward(chunk),
      close(client) {
        open.delete(client);
        client.data.end();
      },
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    drop: () => [...open].forEach((client) => client.terminate()),
    [Symbol.dispose]: () => server.stop(true),
  };
}

function linesOf(stream: ReadableStream<Uint8Array>): { next(): Promise<string | undefined> } {
  const lines = (async function* () {
    let text = "";
    for await (const chunk of stream) {
      text += Buffer.from(chunk).toString();
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
        yield text.slice(0, end);
        text = text.slice(end + 1);
      }
    }
  })();
  return { next: async () => (await lines.next()).value as string | undefined };
}
