import { expect, test } from "bun:test";
import { listen } from "../../src/http/server.ts";

test("an exception outside the handlers returns a bare 500, never Bun's development page", async () => {
  const handlers = [
    () => {
      throw new Error("inside");
    },
    () => Promise.reject(new Error("inside")),
    // No handler exists yet during startup.
    undefined as never,
  ];
  let handler: (typeof handlers)[number] | undefined;
  const server = listen("127.0.0.1", 0, () => handler as never);
  try {
    for (handler of handlers) {
      const answer = await fetch(server.url, { headers: { accept: "text/html" } });
      expect([answer.status, await answer.text()]).toEqual([500, ""]);
    }
  } finally {
    await server.stop(1000);
  }
});

test("a stop refuses new connections and frees the port for the next server", async () => {
  const first = listen("127.0.0.1", 0, () => () => new Response("first"));
  await first.stop(1000);
  const second = listen("127.0.0.1", Number(new URL(first.url).port), () => () => new Response("second"));
  expect(await (await fetch(second.url)).text()).toBe("second");
  await second.stop(1000);
});
