// docs/contract.md#12.29, docs/threats.md#M38: the transport of requests between nodes.
import { expect, test } from "bun:test";
import { createForwarder, type Unanswered } from "../../src/cluster/forwarding.ts";

const PLACES = 256;

test("slow bodies and streams leave connections for other requests", async () => {
  using other = Bun.serve({
    port: 0,
    async fetch(request) {
      if (request.headers.get("accept") === "text/event-stream")
        return new Response(new ReadableStream({ start: (controller) => controller.enqueue("a") }));
      return new Response(await request.text());
    },
  });
  const wire = createForwarder(`http://127.0.0.1:${other.port}`);
  const left = new AbortController();
  const rest = { method: "POST", target: "/", headers: {}, signal: left.signal };
  const slow = () => new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("a")) });
  const ways = Array.from({ length: PLACES }, (_, at) =>
    at % 2 === 0
      ? wire.send({ ...rest, body: slow() })
      : wire.send({ ...rest, method: "GET", headers: { accept: "text/event-stream" }, body: null }),
  );
  const ended = Promise.allSettled(ways);
  const short = await wire.send({ ...rest, body: Buffer.from("short") });
  expect(await short.text()).toBe("short");
  // A request that finds no free slot fails at once and is not sent later.
  const refused: unknown = await wire.send({ ...rest, body: slow() }).catch((error: unknown) => error);
  expect((refused as Unanswered).stage).toBe("unsent");
  left.abort();
  await ended;
  wire.close();
});
