import { createServer } from "node:net";

/** A request that each side gets if the side supports it: a path, and a body for a POST. */
export interface PeerRequest {
  path: string;
  headers: Record<string, string>;
  body?: (count: number) => string;
  /** Returns the texts of the posts in a response. All sides must return the same texts. */
  texts(answer: unknown): string[];
}

export type Work = "feed" | "graphql" | "tag" | "tag-graphql" | "write";

export interface Peer extends AsyncDisposable {
  name: string;
  url: string;
  /** The processes that serve the side, by kind. Each includes its child processes. */
  pids: Readonly<Record<string, number>>;
  requests: Partial<Record<Work, PeerRequest>>;
}

export interface StartedServer extends AsyncDisposable {
  pid: number;
}

/** Starts a server and waits until `isReady` returns true, for at most 30 seconds. */
export async function started(
  command: string[],
  env: Record<string, string>,
  isReady: () => Promise<boolean>,
): Promise<StartedServer> {
  const child = Bun.spawn(command, { env: { ...process.env, ...env }, stdout: "ignore", stderr: "pipe" });
  const end = async (): Promise<void> => {
    child.kill("SIGINT");
    await child.exited;
  };
  const until = performance.now() + 30_000;
  while (!(await isReady().catch(() => false))) {
    if (child.exitCode !== null || performance.now() > until) {
      await end();
      throw new Error(`${command.join(" ")} did not start: ${await new Response(child.stderr).text()}`);
    }
    await Bun.sleep(50);
  }
  return { pid: child.pid, [Symbol.asyncDispose]: end };
}

export async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address();
    server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
  });
  return promise;
}

export function json(body: unknown, token?: string): RequestInit {
  const headers = { "content-type": "application/json", ...(token && { authorization: token }) };
  return { method: "POST", headers, body: JSON.stringify(body) };
}

/** Returns the body of a response as JSON. Throws if the status is not 2xx. */
export async function jsonOf<Body>(answer: Response): Promise<Body> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} at ${answer.url}: ${text.slice(0, 300)}`);
  return JSON.parse(text) as Body;
}
