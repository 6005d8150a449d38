import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Checkup } from "../../../src/core/services/checkup/checkup.ts";
import { visibleText } from "../../web/support.ts";
import { emptyFolder, guildhall, type Program, run, type Served, serve } from "../programs.ts";

const PASSWORD = "correct horse battery";
/** Accepts the test's own certificates. */
const ANY_CERTIFICATE = { tls: { rejectUnauthorized: false } } as RequestInit;

/** A community and every way to ask about its state. */
export interface Installation extends AsyncDisposable {
  /** Contains the data folder, `d`. */
  readonly folder: string;
  readonly data: string;
  pid(): number;
  /** Runs a command of the program on this folder. */
  tool(args: string[], stdin?: string): ReturnType<typeof run>;
  /** Runs any other command in the environment of the programs. */
  run(command: readonly string[]): ReturnType<typeof run>;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Sends JSON. Throws if the request fails. */
  post(path: string, token: string, body: unknown): Promise<void>;
  /** A token with all scopes. */
  token(): Promise<string>;
  start(): Promise<void>;
  /** Starts the server, or another command, and expects a refusal. */
  refuse(command?: string[]): Promise<void>;
  kill(): Promise<void>;
  url(): string;
  /** Reads the current state of the installation from each place that reports it. */
  readonly see: {
    doctor(): Promise<Checkup>;
    ready(): Promise<{ status: number; failing: string[] }>;
    /** Value of a line on `/metrics`, by its name and labels. */
    metric(name: string): Promise<string | undefined>;
    log(): string;
    page(): Promise<string>;
  };
}

export interface InstallationOptions {
  env?: Record<string, string>;
  /** Wrapper of every command, for example for its own file system. */
  before?: readonly string[];
  posts?: number;
  /** Removes the wrapper's environment. */
  end?(): void;
}

export async function openInstallation({
  env = {},
  before = [],
  posts = 0,
  end,
}: InstallationOptions = {}): Promise<Installation> {
  const folder = emptyFolder();
  const program: Program = { ...guildhall, command: [...before, ...guildhall.command] };
  let server: Served | undefined;
  let refused = "";
  let cookies = "";
  const tool = (args: string[], stdin?: string) =>
    run(program, [...args, "--data", "d"], {
      cwd: folder.path,
      env,
      ...(stdin === undefined ? {} : { stdin }),
    });
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${server?.url}${path}`, { ...ANY_CERTIFICATE, headers, redirect: "manual" });
  if (posts > 0) await tool(["demo", "--posts", String(posts)]);
  const created = await tool(["builder", "create", "warden", "--admin", "--password-stdin"], PASSWORD);
  if (created.code !== 0) throw new Error(created.stderr);

  const looks = {
    async doctor(): Promise<Checkup> {
      const { stdout, stderr } = await tool(["doctor", "--json"]);
      if (stdout === "") throw new Error(`doctor said nothing: ${stderr}`);
      return JSON.parse(stdout) as Checkup;
    },
    async ready() {
      const answer = await get("/readyz");
      const { failing = [] } = (await answer.json()) as { failing?: string[] };
      return { status: answer.status, failing };
    },
    async metric(name: string) {
      const text = await (await get("/metrics")).text();
      return text
        .split("\n")
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length + 1);
    },
    log: () => refused || (server?.output() ?? ""),
    async page() {
      return visibleText(await (await get("/admin/health", { cookie: cookies })).text());
    },
  };

  async function signIn(): Promise<string> {
    const form = await get("/sign-in");
    const [, token = ""] = /name="form_token" value="([^"]+)"/.exec(await form.text()) ?? [];
    const [visitor = ""] = form.headers.getSetCookie().map((line) => line.split(";")[0] ?? "");
    const answer = await fetch(`${server?.url}/sign-in`, {
      ...ANY_CERTIFICATE,
      method: "POST",
      redirect: "manual",
      headers: { cookie: visitor, origin: server?.url ?? "" },
      body: new URLSearchParams({ form_token: token, username: "warden", password: PASSWORD }),
    });
    if (answer.status !== 303) throw new Error(`the admin could not sign in: ${answer.status}`);
    return answer.headers
      .getSetCookie()
      .map((line) => line.split(";")[0] ?? "")
      .join("; ");
  }

  return {
    folder: folder.path,
    data: join(folder.path, "d"),
    tool,
    run: ([first = "", ...rest]) =>
      run({ name: first, command: [...before, first] }, rest, { cwd: folder.path }),
    get,
    pid: () => Number(readFileSync(join(folder.path, "pid"), "utf8")),
    async post(path, token, body) {
      const answer = await fetch(`${server?.url}${path}`, {
        ...ANY_CERTIFICATE,
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      if (answer.status !== 201) throw new Error(`${path} is refused: ${await answer.text()}`);
    },
    async token() {
      return (await tool(["token", "create", "warden"])).stdout.trim();
    },
    async start() {
      const named = ["sh", "-c", 'echo $$ > pid && exec "$@"', "sh", ...program.command];
      server = await serve({ ...program, command: named }, { cwd: folder.path, args: ["--data", "d"], env });
      // Signs in before the fault, because a sign-in writes to the database. The fault may prevent writes.
      cookies = await signIn();
    },
    async refuse(command = ["serve", "--port", "0"]) {
      refused = (await tool(command)).stderr;
    },
    async kill() {
      server?.signal("SIGKILL");
      await server?.exited;
    },
    url: () => server?.url ?? "",
    see: looks,
    async [Symbol.asyncDispose]() {
      await server?.[Symbol.asyncDispose]();
      chmodSync(folder.path, 0o700);
      folder[Symbol.dispose]();
      end?.();
    },
  };
}
