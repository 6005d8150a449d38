import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { createGate } from "../../src/cluster/request-gate.ts";
import { readConfig } from "../../src/config/config.ts";
import { follow, type Following } from "../../src/app/follower.ts";
import type { Encoder } from "../../src/media/encoder.ts";
import { pagesOf } from "./pages.ts";
import { type TestServer, KEY, NOON, openTestServer, type TestWorldOptions } from "../support.ts";

/** A leader with followers. Uses the system clock, as its followers do. */
export function openLeader(
  options: TestWorldOptions & { env?: Record<string, string>; isLocal?: boolean; encoder?: Encoder } = {},
): TestServer & AsyncDisposable {
  const server = openTestServer({
    ...options,
    gate: (core) => createGate(core, { isLeading: true, onEpoch: () => {} }),
  });
  server.clock.step(Date.now() - NOON);
  return server;
}

export interface Followed extends Following {
  folder: string;
  logged: string[];
  /** Updates the follower's copy in place to the leader's current state, as Litestream does. */
  updateCopy(): void;
  /** Replaces the follower's copy by a new file with the leader's current state. */
  replaceCopy(): void;
  until(status: number): Promise<Record<string, unknown>>;
}

/** A follower in this process. The test moves its copy. */
export function openFollower(
  leader: Pick<TestServer, "url" | "folder">,
  { env = {}, isMoved = true }: { env?: Record<string, string>; isMoved?: boolean } = {},
): Followed & AsyncDisposable {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-follower-"));
  const file = join(folder, "guildhall.db");
  writeFileSync(join(folder, "guildhall.key"), `${KEY}\n`, { mode: 0o600 });
  const write = (): void => writeInPlace(file, pagesOf(join(leader.folder, "guildhall.db")));
  if (isMoved) write();
  const logged: string[] = [];
  const running = follow(
    readConfig({
      GUILDHALL_DATA: folder,
      GUILDHALL_PORT: "0",
      GUILDHALL_FOLLOW: leader.url,
      GUILDHALL_ORIGIN: "https://guild.test",
      ...env,
    }),
    pino({ level: "debug" }, { write: (line: string) => void logged.push(line) }),
  );
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= running.stop());
  return {
    ...running,
    stop,
    folder,
    logged,
    updateCopy: write,
    replaceCopy() {
      rmSync(file);
      write();
    },
    async until(status) {
      for (const deadline = Date.now() + 10_000; ; await Bun.sleep(20)) {
        const answer = await fetch(`${running.url}/readyz`);
        const body = (await answer.json()) as Record<string, unknown>;
        if (answer.status === status) return body;
        if (Date.now() > deadline)
          throw new Error(`still ${answer.status}: ${JSON.stringify(body)}\n${logged.join("")}`);
      }
    },
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Writes into the existing file, which readers have open. */
function writeInPlace(file: string, pages: Buffer): void {
  const handle = openSync(file, "a+");
  closeSync(handle);
  const opened = openSync(file, "r+");
  writeSync(opened, pages, 0, pages.length, 0);
  ftruncateSync(opened, pages.length);
  closeSync(opened);
}

/** Sends requests to a node with this token. A body is sent as JSON. */
export function createRequester(url: string, token?: string) {
  return (
    path: string,
    {
      method = "GET",
      body,
      headers = {},
    }: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
  ) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
}
