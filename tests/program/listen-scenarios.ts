// docs/contract.md#5.6: `guildhall listen`.
import { expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { SECOND } from "../../src/core/base/clock.ts";
import { emptyFolder, LONG_MS, type Program, run, serve } from "./programs.ts";

interface ReceivedRequest {
  headers: Record<string, string>;
  body: string;
}

/** A local program that receives events. `script` lists its next statuses. The last one repeats. */
function listenOn(script: number[] = [204]) {
  const got: ReceivedRequest[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      got.push({ headers: Object.fromEntries(request.headers), body: await request.text() });
      const status = (script.length > 1 ? script.shift() : script[0]) ?? 204;
      return new Response(null, { status });
    },
  });
  return {
    got,
    url: `http://127.0.0.1:${server.port}/hooks`,
    [Symbol.dispose]: () => void server.stop(true),
  };
}

function listen(program: Program, cwd: string, args: string[], env: Record<string, string>) {
  const child = Bun.spawn([...program.command, "listen", ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let output = "";
  const read = (async () => {
    for await (const chunk of child.stdout) output += Buffer.from(chunk).toString();
  })();
  return {
    says: (label: string) => until(() => output.includes(label)),
    output: () => output,
    async stop(): Promise<number> {
      child.kill("SIGINT");
      await read;
      return child.exited;
    },
  };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 1200) throw new Error("it did not happen within a minute");
    await Bun.sleep(50);
  }
}

export function listenScenarios(getProgram: () => Program): void {
  test(
    "guildhall listen forwards events to a local program with both signatures, and resumes where it stopped",
    async () => {
      const program = getProgram();
      using folder = emptyFolder();
      const cwd = folder.path;
      await run(program, ["builder", "create", "ada", "--data", "d"], { cwd });
      const created = await run(program, ["token", "create", "ada", "--tier", "enterprise", "--data", "d"], {
        cwd,
      });
      const GUILDHALL_TOKEN = created.stdout.trim();
      await using server = await serve(program, { cwd, args: ["--data", "d"] });
      using app = listenOn([204, 500, 204]);
      const post = async (text: string): Promise<void> => {
        const answer = await fetch(`${server.url}/v1/feed`, {
          method: "POST",
          headers: { authorization: `Bearer ${GUILDHALL_TOKEN}`, "content-type": "application/json" },
          body: JSON.stringify({ text }),
        });
        expect(answer.status).toBe(201);
      };
      const titles = () => app.got.map(({ body }) => JSON.parse(body).data.post?.title);
      const args = [
        "--url",
        server.url,
        "--forward",
        app.url,
        "--state",
        join(cwd, "state"),
        "--type",
        "post.created",
      ];
      await post("before it listened");
      await untilLogged(server.url, Date.now() + SECOND);

      const first = listen(program, cwd, args, { GUILDHALL_TOKEN });
      await first.says("from now on");
      const secret = /signing secret: (whsec_\S+)/.exec(first.output())?.[1] ?? "";
      await post("one");
      await until(() => app.got.length === 1);
      const [{ headers, body } = { headers: {}, body: "" }] = app.got;
      new Webhook(secret).verify(body, headers);
      const hmac = createHmac("sha256", secret).update(body).digest("hex");
      expect(headers["x-service-signature"]).toBe(`t=${headers["webhook-timestamp"]},v1=${hmac}`);
      const pulled = await fetch(`${server.url}/v1/events?limit=100`, {
        headers: { authorization: `Bearer ${GUILDHALL_TOKEN}` },
      });
      expect(await pulled.text()).toContain(body);
      await first.says(JSON.parse(body).id);
      expect(await first.stop()).toBe(0);

      await post("while nobody listened");
      const second = listen(program, cwd, args, { GUILDHALL_TOKEN });
      // The first attempt is refused, and the second one arrives.
      await until(() => app.got.length === 3);
      await second.says("204");
      expect(second.output()).toContain(secret);
      expect(titles()).toEqual(["one", "while nobody listened", "while nobody listened"]);
      expect(await second.stop()).toBe(0);
    },
    LONG_MS,
  );

  test(
    "guildhall listen reports an error with one line and an exit code",
    async () => {
      const program = getProgram();
      using folder = emptyFolder();
      const cwd = folder.path;
      await run(program, ["builder", "create", "ada", "--data", "d"], { cwd });
      const created = await run(program, ["token", "create", "ada", "--scope", "feed:read", "--data", "d"], {
        cwd,
      });
      await using server = await serve(program, { cwd, args: ["--data", "d"] });
      const forward = ["listen", "--url", server.url, "--forward", "http://127.0.0.1:9/"];
      const table: [args: string[], token: string | undefined, code: number, says: RegExp][] = [
        [forward, undefined, 2, /GUILDHALL_TOKEN/],
        [forward, "guild_pat_nonsense", 1, /valid access token/],
        [forward, created.stdout.trim(), 1, /webhooks:read/],
        [[...forward, "--after", "nonsense"], created.stdout.trim(), 2, /--after must be the id of an event/],
        [
          [...forward, "--type", "nonsense"],
          created.stdout.trim(),
          2,
          /--type "nonsense" is not an event type\. Use one of/,
        ],
        [["listen", "--forward", "ftp://x"], "t", 2, /--forward must be/],
        [[...forward, "--secret", "short"], "t", 2, /--secret must be/],
        [["listen"], "t", 2, /--forward/],
      ];
      for (const [args, token, code, says] of table) {
        const ended = await run(program, args, {
          cwd,
          ...(token ? { env: { GUILDHALL_TOKEN: token } } : {}),
        });
        expect([args, ended.code, says.test(ended.stderr)]).toEqual([args, code, true]);
      }
      const help = await run(program, ["listen", "--help"], { cwd });
      expect([help.code, help.stdout.includes("--forward")]).toEqual([0, true]);
    },
    LONG_MS,
  );
}

/**
 * Waits until the server's `Date` header has reached `moment`, because `listen` starts there. Bun updates the
 * header once per second or later.
 */
async function untilLogged(url: string, moment: number): Promise<void> {
  const said = async () => Date.parse((await fetch(`${url}/healthz`)).headers.get("date") ?? "");
  while ((await said()) < moment) await Bun.sleep(50);
}
