import { createBenchCommunity, guildhall, residentMiB, row, serve } from "./server.ts";
import { load } from "./load.ts";

/** Measures the server's resident memory when idle and after a lot of work. */
export async function memory(): Promise<void> {
  using stage = await createBenchCommunity({ builders: 200, posts: 100_000, jobs: 500, prompts: 300 });
  await using ours = await serve(guildhall(stage.folder));
  const headers = { authorization: `Bearer ${stage.token}` };
  row("after", "requests so far", "resident MiB");
  row("---", "---", "---");
  row("the start", 0, residentMiB(ours.pid));
  let requests = 0;
  for (let round = 1; round <= 6; round++) {
    for (const path of ["/v1/feed", "/v1/jobs?q=engineer", "/v1/prompts", "/v1/profiles/me"]) {
      requests += (await load({ url: ours.url + path, headers, connections: 16, seconds: 2 })).requests;
    }
    row(`round ${round} of reads`, requests, residentMiB(ours.pid));
  }
  for (let i = 0; i < 20_000; i += 100)
    await Promise.all(Array.from({ length: 100 }, () => abandon(ours.url)));
  row("20,000 connections left half way", requests, residentMiB(ours.pid));
  await Bun.sleep(5000);
  row("5 s of rest", requests, residentMiB(ours.pid));
}

/** Opens a connection and closes it in the middle of the request. */
async function abandon(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<void>();
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open(socket) {
        socket.write(
          "POST /v1/feed HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
        );
        socket.terminate();
      },
      data() {},
      close: () => resolve(),
    },
  });
  await promise;
}
