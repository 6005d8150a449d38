import { expect, test } from "bun:test";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../delivery/receiver.ts";
import { createMetrics } from "../../src/http/metrics.ts";
import { crashDrill } from "./crash.ts";
import { hangingDrill } from "./hanging.ts";
import { png } from "../media/sample-images.ts";
import { emptyFolder, type Program, run, serve } from "./programs.ts";

type Json = Record<string, any>;

const ask = async (
  url: string,
  token: string,
  init: RequestInit = {},
): Promise<{ status: number; body: Json; headers: Headers }> => {
  const answer = await fetch(url, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...(init.headers as object) },
  });
  return {
    status: answer.status,
    body: (await answer.json().catch(() => ({}))) as Json,
    headers: answer.headers,
  };
};

const post = (url: string, token: string, body: unknown, headers: Record<string, string> = {}) =>
  ask(url, token, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });

/** Metrics without a value on a new server, and those of a follower (tests/cluster/follower.slow.test.ts). */
const LATER =
  /^guildhall_(?:backup_(?!scheduled)|certificate_|chore_|checkup_age|sign_in_failures|(?:delivery|mail|push)_attempts|replica_age|follower_|handed_on|leader_up)/;

/** Limits tests to the loopback network. */
const LOOPBACK = { GUILDHALL_WEBHOOK_ALLOW: "127.0.0.0/8" };

const JOB = {
  title: "Lamp Lighter",
  company: { name: "Tidewater Systems", slug: "tidewater-systems" },
  location: "Berlin, Germany",
  city: "berlin",
  remote: false,
  seniority: "senior",
  stack: ["rust"],
  salary: { min: 1, max: 2, currency: "EUR" },
  description: "Light lamps.",
  apply_url: "https://tidewater.example.com/1",
};

/** The program as users start it, from source or as a binary. */
export function demoScenario(getProgram: () => Program): void {
  test("serve --demo fills an empty folder and prints a curl command that answers 200", async () => {
    using folder = emptyFolder();
    await using server = await serve(getProgram(), { cwd: folder.path, args: ["--demo", "--data", "d"] });
    const [, token = "", url = ""] =
      /curl -H 'Authorization: Bearer (\S+)' '(\S+)'/.exec(server.output()) ?? [];
    const feed = await ask(url, token);
    expect(feed.status).toBe(200);
    expect(feed.body["data"]).toHaveLength(3);
    for (const path of ["/feed", "/jobs", "/jobs?q=engineer", "/prompts", "/profiles/me", "/webhooks"]) {
      expect([path, (await ask(`${server.url}/v1${path}`, token)).status]).toEqual([path, 200]);
    }
    const [job] = (await ask(`${server.url}/v1/jobs?limit=1`, token)).body["data"];
    expect((await ask(`${server.url}/v1/jobs/${job.id}`, token)).body).toMatchObject({
      id: job.id,
      title: job.title,
    });
    expect((await fetch(`${server.url}/v1/openapi.json`)).status).toBe(200);
    for (const page of ["/", "/docs"]) {
      const shown = await fetch(server.url + page);
      expect([page, shown.status, shown.headers.get("content-type")]).toEqual([
        page,
        200,
        "text/html; charset=utf-8",
      ]);
    }
    expect(await (await fetch(`${server.url}/healthz`)).json()).toMatchObject({ status: "ok" });
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain('\nguildhall_build_info{version="');
    const reported = new Set(
      [...metrics.matchAll(/^(\w+?)(?:_bucket|_sum|_count)?(?:\{.*\})? \S+$/gm)].map(([, name]) => name),
    );
    const all = createMetrics({ ofProcess: true })
      .described()
      .map(({ name }) => name);
    // A metric that no code sets would be missing too.
    expect(all.filter((name) => !reported.has(name) && !LATER.test(name))).toEqual([]);
  });
}

/** Data survives a restart. */
export function keepingScenario(getProgram: () => Program): void {
  test("every post answered with 201 exists after a stop and a start, and SIGTERM exits with code 0", async () => {
    using folder = emptyFolder();
    const token = await settle(getProgram(), folder.path);
    let id = "";
    {
      await using server = await serve(getProgram(), { cwd: folder.path, args: ["--data", "d"] });
      const created = await post(
        `${server.url}/v1/feed`,
        token,
        { text: "# Hello" },
        { "idempotency-key": "k" },
      );
      expect(created.status).toBe(201);
      id = created.body["id"];
      server.signal("SIGTERM");
      expect(await server.exited).toBe(0);
      expect(server.output()).toContain('"msg":"stopped"');
    }
    await using server = await serve(getProgram(), { cwd: folder.path, args: ["--data", "d"] });
    expect((await ask(`${server.url}/v1/feed`, token)).body["data"]).toMatchObject([{ id }]);
    const again = await post(`${server.url}/v1/feed`, token, { text: "# Hello" }, { "idempotency-key": "k" });
    expect([again.body["id"], again.headers.get("idempotency-replayed")]).toEqual([id, "true"]);
  });
}

export function scenarios(getProgram: () => Program): void {
  test("re-encodes an image in a child process of the program, and serves the image", async () => {
    using folder = emptyFolder();
    const token = await settle(getProgram(), folder.path);
    await using server = await serve(getProgram(), { cwd: folder.path, args: ["--data", "d"] });
    const form = new FormData();
    form.set("alt", "A lamp");
    form.set("file", new File([new Uint8Array(png(300, 200))], "lamp.png"));
    const sent = await ask(`${server.url}/v1/media`, token, { method: "POST", body: form });
    expect([sent.status, sent.body]).toMatchObject([201, { width: 300, height: 200, alt: "A lamp" }]);
    const created = await post(`${server.url}/v1/feed`, token, { text: "Look", media: [sent.body["id"]] });
    expect(created.status).toBe(201);
    const shown = await fetch(server.url + new URL(sent.body["url"]).pathname);
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "image/webp"]);
    expect(await new Bun.Image(await shown.bytes()).metadata()).toMatchObject({
      format: "webp",
      width: 300,
      height: 200,
    });
  });

  test("commands work on the folder of a running server, and affect its next request", async () => {
    using folder = emptyFolder();
    const token = await settle(getProgram(), folder.path);
    await using server = await serve(getProgram(), { cwd: folder.path, args: ["--data", "d"] });
    const feed = `${server.url}/v1/feed`;
    const tool = (...args: string[]) => run(getProgram(), [...args, "--data", "d"], { cwd: folder.path });
    expect((await ask(feed, token)).status).toBe(200);
    await tool("builder", "suspend", "ada", "--reason", "Spam");
    expect((await ask(feed, token)).status).toBe(401);
    await tool("builder", "restore", "ada");
    // Tokens that the suspension ended do not work again (docs/contract.md#9.2).
    expect((await ask(feed, token)).status).toBe(401);
    const rebuilt = (await tool("token", "create", "ada")).stdout.trim();
    expect((await ask(feed, rebuilt)).status).toBe(200);

    const other = (
      await tool("token", "create", "ada", "--scope", "jobs:read", "--expires-days", "7")
    ).stdout.trim();
    expect((await ask(feed, other)).status).toBe(403);
    writeFileSync(join(folder.path, "job.json"), JSON.stringify(JOB));
    const job = (await tool("job", "publish", "--file", "job.json")).stdout.trim();
    expect((await ask(`${server.url}/v1/jobs?q=lamp`, other)).body["data"]).toMatchObject([{ id: job }]);

    const list = (await tool("token", "list", "ada")).stdout;
    expect(list.trim().split("\n")).toHaveLength(3);
    expect((await tool("token", "revoke", other)).code).toBe(0);
    expect((await ask(`${server.url}/v1/jobs`, other)).status).toBe(401);
    expect((await tool("token", "list", "ada")).stdout).toContain("revoked");
  });

  test("the operator creates a workspace and sets its members, and a removed member's next request is refused", async () => {
    using folder = emptyFolder();
    await settle(getProgram(), folder.path);
    await settle(getProgram(), folder.path, "bo");
    await using server = await serve(getProgram(), { cwd: folder.path, args: ["--data", "d"] });
    const tool = async (...args: string[]) => {
      const ended = await run(getProgram(), [...args, "--data", "d"], { cwd: folder.path });
      expect(ended).toMatchObject({ code: 0, stderr: "" });
      return ended.stdout.trim();
    };
    const id = await tool("workspace", "create", "Tools", "--owner", "Ada");
    expect(id).toMatch(/^ws_\w{26}$/);
    await tool("workspace", "member", "add", id, "bo");
    expect(await tool("workspace", "list")).toBe(`${id}\tshared\t2\tTools`);
    expect((await tool("workspace", "list", "bo")).split("\n")).toEqual([
      expect.stringMatching(/^ws_\w{26}\tpersonal\t1\tbo$/),
      `${id}\tshared\t2\tTools`,
    ]);
    expect(await tool("workspace", "member", "list", id)).toBe("ada\towner\tada\nbo\tmember\tbo");
    const token = await tool("token", "create", "bo", "--workspace", id, "--scope", "webhooks:read");
    expect((await ask(`${server.url}/v1/webhooks`, token)).status).toBe(200);
    await tool("workspace", "member", "remove", id, "bo");
    expect((await ask(`${server.url}/v1/webhooks`, token)).status).toBe(401);
  });

  test("reads a job from standard input too", async () => {
    using folder = emptyFolder();
    const published = await run(getProgram(), ["job", "publish", "--file", "-", "--data", "d"], {
      cwd: folder.path,
      stdin: JSON.stringify(JOB),
    });
    expect(published).toMatchObject({ code: 0, stderr: "" });
    expect(published.stdout).toMatch(/^job_\w{26}\n$/);
  });

  test("an operator's mistake prints one line on stderr, exits with a non-zero code, and creates nothing", async () => {
    using folder = emptyFolder();
    writeFileSync(join(folder.path, "bad.json"), "{");
    writeFileSync(join(folder.path, "short.json"), JSON.stringify({ ...JOB, title: "" }));
    writeFileSync(join(folder.path, "file"), "");
    const mistakes: [args: string[], env: Record<string, string>, code: number, says: RegExp][] = [
      [["serve", "--data", "d", "--port", "x"], {}, 2, /--port is "x"/],
      [
        ["serve", "--data", "d"],
        { GUILDHALL_RETRY_DELAYS: "soon" },
        2,
        /GUILDHALL_RETRY_DELAYS is "soon".*Write it like/,
      ],
      [["serve", "--dat", "d"], {}, 2, /unknown option '--dat'/],
      [["srve"], {}, 2, /unknown command 'srve'/],
      [["builder", "create", "a b", "--data", "d"], {}, 2, /`username` must be 1 to 32 lowercase letters/],
      [["builder", "create", "admin", "--data", "file/d"], {}, 1, /./],
      [["job", "publish", "--file", "none.json", "--data", "d"], {}, 2, /none\.json cannot be read/],
      [["job", "publish", "--file", "bad.json", "--data", "d"], {}, 2, /bad\.json is not valid JSON/],
      [["job", "publish", "--file", "short.json", "--data", "d"], {}, 2, /`title` must not be empty/],
      [["job", "publish", "--data", "d"], {}, 2, /--file/],
      [["workspace", "create", "x", "--data", "d"], {}, 2, /--owner/],
      [["demo", "--posts", "-1", "--data", "d"], {}, 2, /--posts/],
    ];
    for (const [args, env, code, says] of mistakes) {
      const ended = await run(getProgram(), args, { cwd: folder.path, env });
      expect([args.join(" "), ended.code, ended.stdout]).toEqual([args.join(" "), code, ""]);
      expect(ended.stderr).toMatch(says);
      expect(ended.stderr).not.toMatch(/\n\s+at /);
    }
    expect(existsSync(join(folder.path, "d"))).toBe(false);
  });

  test("a refusal prints one line: code 1 for a taken name or unknown builder, 2 for invalid input", async () => {
    using folder = emptyFolder();
    await settle(getProgram(), folder.path);
    const refusals: [args: string[], says: RegExp, code?: 1 | 2][] = [
      [["builder", "create", "ADA"], /taken/],
      [["builder", "create", "admin"], /reserved/, 2],
      [["token", "create", "bob"], /no member with that username/],
      [["token", "create", "ada", "--scope", "feed"], /no such scope\. Choose from these: feed:read/, 2],
      [["token", "create", "ada", "--scope", "admin"], /not an admin/],
      [["token", "create", "ada", "--workspace", "ws_x"], /is in no workspace/],
      [["token", "revoke", "tok_x"], /no such active token/],
      [["workspace", "create", "x", "--owner", "bob"], /no member with that username/],
      [["workspace", "create", " ", "--owner", "ada"], /`name` must not be blank/, 2],
      [["workspace", "member", "add", "ws_x", "ada"], /no workspace with that id/],
      [["builder", "suspend", "bob", "--reason", "Spam"], /no member with that username/],
      [["demo"], /empty database/],
    ];
    for (const [args, says, code = 1] of refusals) {
      const ended = await run(getProgram(), [...args, "--data", "d"], { cwd: folder.path });
      expect([args.join(" "), ended.code, ended.stdout, ended.stderr.trim().split("\n").length]).toEqual([
        args.join(" "),
        code,
        "",
        1,
      ]);
      expect(ended.stderr).toMatch(says);
    }
  });

  test("a lost or foreign key file stops the start before any write", async () => {
    using folder = emptyFolder();
    await settle(getProgram(), folder.path);
    const key = join(folder.path, "d/guildhall.key");
    const other = join(folder.path, "other.key");
    writeFileSync(other, "0".repeat(64));
    const started = (keyFile: string) =>
      run(getProgram(), ["serve", "--port", "0", "--data", "d"], {
        cwd: folder.path,
        env: { GUILDHALL_KEY_FILE: keyFile },
      });
    expect(await started("gone.key")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/key file gone\.key is missing/),
    });
    expect(await started(other)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/is not the key of this database/),
    });
    expect(existsSync(join(folder.path, "gone.key"))).toBe(false);
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder.path, "d/guildhall.db")).mode & 0o777).toBe(0o600);
  });

  test("ignores files in the working folder, such as .env and bunfig.toml", async () => {
    using folder = emptyFolder();
    writeFileSync(join(folder.path, ".env"), "GUILDHALL_LOG_LEVEL=loud\n");
    if (getProgram().name === "binary") {
      writeFileSync(join(folder.path, "bunfig.toml"), 'preload = ["./evil.ts"]\n');
      writeFileSync(join(folder.path, "evil.ts"), "process.exit(66);\n");
      expect(await run(getProgram(), ["--version"], { cwd: folder.path })).toMatchObject({ code: 0 });
      await using server = await serve(getProgram(), { cwd: folder.path, args: ["--data", "d"] });
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    }
    // The program writes only to its data folder.
    expect(
      readdirSync(folder.path).filter((name) => !["d", ".env", "bunfig.toml", "evil.ts"].includes(name)),
    ).toEqual([]);
  });

  test("a stop under load cuts no response", async () => {
    using folder = emptyFolder();
    const token = await settle(getProgram(), folder.path, "ada", ["--tier", "enterprise"]);
    await using server = await serve(getProgram(), { cwd: folder.path, args: ["--data", "d"] });
    let cut = 0;
    let answered = 0;
    let isStopping = false;
    const clients = Array.from({ length: 16 }, async (_, client) => {
      for (let i = 0; ; i++) {
        const sent = fetch(`${server.url}/v1/feed`, {
          method: "POST",
          body: JSON.stringify({ text: `${client} ${i}` }),
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        });
        const answer = await sent
          .then((response) => response.json().then(() => response.status))
          .catch((error: Error & { code?: string }) => error.code);
        if (answer === 201) answered++;
        // During the stop, a refused connection is not a cut response.
        else if (isStopping) return;
        else cut++;
      }
    });
    // The stop begins in the middle of the load, however slow the machine is.
    while (answered <= 100 && cut === 0) await Bun.sleep(10);
    isStopping = true;
    server.signal("SIGTERM");
    expect(await server.exited).toBe(0);
    await Promise.all(clients);
    expect(cut).toBe(0);
    expect(answered).toBeGreaterThan(100);
  });

  test("kills at random moments under load lose no post answered with 201, and no event", async () => {
    const report = await crashDrill(getProgram(), 8, { posts: 5 });
    expect(report.acknowledged).toBeGreaterThan(30);
    expect(report.wrongs).toEqual([]);
  });

  test("other receivers get every event once while more receivers hang than Bun's limit of requests", async () => {
    const report = await hangingDrill(getProgram(), {
      hanging: 360,
      owners: 24,
      healthy: 10,
      events: 6,
      everyMs: 200,
    });
    expect(report).toMatchObject({ expected: 60, arrived: 60, repeated: 0 });
    expect(report.hangingAtOnce).toBeGreaterThan(256);
    // A delivery behind a hanging one would wait ten seconds, the timeout of an attempt.
    expect(report.p95Ms).toBeLessThan(5000);
  });

  test("neither the log nor the metrics contain a token, a secret or the text of a post", async () => {
    using folder = emptyFolder();
    const token = await settle(getProgram(), folder.path, "zuleika");
    await using server = await serve(getProgram(), {
      cwd: folder.path,
      args: ["--data", "d"],
      env: { ...LOOPBACK, GUILDHALL_LOG_LEVEL: "trace" },
    });
    const created = await post(`${server.url}/v1/webhooks?access_token=${token}`, token, {
      url: "https://127.0.0.1:1/secret-path",
      events: ["post.created"],
    });
    await post(`${server.url}/v1/feed`, token, { text: "private thoughts" });
    await post(`${server.url}/v1/feed`, token, { text: 7, password: "hunter2" });
    await ask(`${server.url}/v1/feed`, `${token}x`);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    server.signal("SIGTERM");
    await server.exited;
    const log = server.output();
    expect(log).toContain("/v1/webhooks");
    for (const secret of [
      token,
      created.body["secret"],
      "private thoughts",
      "hunter2",
      "secret-path",
      "zuleika",
    ])
      expect(metrics).not.toContain(secret);
    for (const secret of [token, created.body["secret"], "private thoughts", "hunter2", "secret-path"])
      expect(log).not.toContain(secret);
    for (const line of log.trim().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
  });

  test("the second signal ends the program at once", async () => {
    using folder = emptyFolder();
    await using server = await serve(getProgram(), { cwd: folder.path, args: ["--data", "d"] });
    // A hanging request, whose body never ends.
    const { hostname, port } = new URL(server.url);
    const socket = await Bun.connect({ hostname, port: Number(port), socket: { data() {} } });
    socket.write("POST /v1/feed HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{");
    // A later request is answered, so the hanging one has begun.
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    server.signal("SIGTERM");
    await until(() => server.output().includes('"msg":"stopping"'));
    server.signal("SIGTERM");
    expect(await server.exited).toBe(1);
    socket.end();
  });
}

/** Makes a data folder with a builder. Returns a token. */
async function settle(program: Program, cwd: string, username = "ada", args: string[] = []): Promise<string> {
  expect((await run(program, ["builder", "create", username, "--data", "d"], { cwd })).code).toBe(0);
  const created = await run(program, ["token", "create", username, "--data", "d", ...args], { cwd });
  expect(created).toMatchObject({ code: 0, stderr: "" });
  return created.stdout.trim();
}
