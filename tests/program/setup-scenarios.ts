import { expect, test } from "bun:test";
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { createAuthority } from "../delivery/authority.ts";
import { emptyFolder, type Program, run, serve } from "./programs.ts";

/** docs/contract.md#12.3: `guildhall setup` as a process, with and without a terminal. */
export function setupScenarios(getProgram: () => Program): void {
  const ORIGIN = "https://guild.example";

  test("setup asks a person, rejects invalid answers at once, and creates a settings file, a community and a link", async () => {
    using folder = emptyFolder();
    const dialogue = talk(getProgram(), folder.path, ["--settings", "guild.toml"]);
    await dialogue.answer(/community\? \[Guildhall\] $/, "The Beekeepers");
    await dialogue.answer(/guild\.example\? $/, "");
    expect(await dialogue.until(/guild\.example\? $/)).toContain(
      "This question has no default answer. Type an answer.",
    );
    await dialogue.answer(/guild\.example\? $/, "guild.example");
    expect(await dialogue.until(/guild\.example\? $/)).toContain(
      '"guild.example" is not valid. Write it like https://guild.example.',
    );
    await dialogue.answer(/guild\.example\? $/, ORIGIN);
    await dialogue.answer(/TLS mode\? \[\w+\] $/, "magic");
    expect(await dialogue.until(/TLS mode\? \[\w+\] $/)).toContain("does not exist. Use one of acme");
    await dialogue.answer(/TLS mode\? \[\w+\] $/, "proxy");
    await dialogue.answer(/Data folder\? \[\S+data\] $/, "/dev/null/below");
    await dialogue.answer(/Data folder\? \[\S+data\] $/, "guild");
    await dialogue.answer(/Write this to \S+guild\.toml\? \[yes\] $/, "");
    expect(await dialogue.exited).toBe(0);
    const [, link = ""] = /(https:\/\/guild\.example\/setup\?token=\S+)/.exec(dialogue.output()) ?? [];
    expect(dialogue.output()).toContain(`guildhall serve --settings ${join(folder.path, "guild.toml")}`);
    const file = join(folder.path, "guild.toml");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(parse(readFileSync(file, "utf8"))).toEqual({
      name: "The Beekeepers",
      origin: ORIGIN,
      data: join(folder.path, "guild"),
      host: "127.0.0.1",
      port: 8787,
      trusted_proxies: ["127.0.0.1", "::1"],
      backup: join(folder.path, "guild/backups"),
      metrics_token: expect.stringMatching(/^[\w-]{32}$/),
    });
    expect(readdirSync(folder.path).sort()).toEqual(["guild", "guild.toml"]);
    // The start makes another link. The link that setup printed still works.
    await using server = await serve(getProgram(), { cwd: folder.path, args: ["--settings", "guild.toml"] });
    expect(server.output()).toContain(`"settings":"guild.toml"`);
    const { pathname, search } = new URL(link);
    const page = await fetch(`${server.url}${pathname}${search}`, { headers: { accept: "text/html" } });
    expect([page.status, (await page.text()).includes("The Beekeepers")]).toEqual([200, true]);
  });

  test("leaving by Ctrl-C, by the end of input or by “no” creates nothing", async () => {
    using folder = emptyFolder();
    for (const leave of ["\u0003", "\u0004", "no\r"]) {
      const dialogue = talk(getProgram(), folder.path, ["--origin", "http://127.0.0.1:8787", "--name", "X"]);
      await dialogue.answer(/Data folder\? \[\S+\] $/, "");
      await dialogue.until(/Write this to \S+\? \[yes\] $/);
      dialogue.type(leave);
      expect(await dialogue.exited).toBe(1);
      expect(dialogue.output()).toMatch(/Nothing was written\.\r\n$/);
      expect(readdirSync(folder.path)).toEqual([]);
    }
  });

  test("a script answers by options, and missing or wrong ones print one line and create nothing", async () => {
    using folder = emptyFolder();
    const tool = (args: string[]) =>
      run(getProgram(), ["setup", "--settings", "g.toml", ...args], { cwd: folder.path });
    const authority = await createAuthority();
    const [good, other] = [
      await authority.issue(["guild.example"]),
      await authority.issue(["other.example"]),
    ];
    const files = {
      "good.pem": good.cert,
      "other.pem": other.cert,
      "good.key": good.key,
      "other.key": other.key,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text);
    const byFiles = ["--yes", "--origin", ORIGIN, "--tls", "files", "--certificate"];
    const wrong: [args: string[], code: number, says: RegExp][] = [
      [[], 2, /no terminal to ask questions on\. Give the answers as options, and add --yes/],
      [["--yes"], 2, /--origin is missing\. /],
      [["--yes", "--origin", "guild.example"], 2, /"guild\.example" is not valid\. Write it like https:/],
      [["--yes", "--origin", ORIGIN, "--tls", "magic"], 2, /TLS mode "magic" does not exist/],
      [
        ["--yes", "--origin", "http://x.example", "--tls", "proxy"],
        2,
        /--tls proxy needs a public URL .* https:/,
      ],
      [["--yes", "--origin", ORIGIN, "--name", "x".repeat(41)], 2, /at most 40 characters/],
      [
        ["--yes", "--origin", ORIGIN, "--tls", "proxy", "--data", "/proc/nowhere"],
        // Root passes the permission check, so the command fails later with another exit code.
        process.getuid?.() === 0 && getProgram().name === "source" ? 1 : 2,
        /\/proc\/nowhere cannot be created|cannot write to \/proc\./,
      ],
      [["--yes", "--origin", ORIGIN, "--tls", "proxy", "--data", "/dev/null/x"], 2, /\/dev\/null is a file/],
      [["--yes", "--origin", ORIGIN, "--tls", "acme"], 2, /--email is missing\. /],
      [
        ["--yes", "--origin", ORIGIN, "--tls", "acme", "--email", "me"],
        2,
        /"me" is not valid\. Write it like you@/,
      ],
      [[...byFiles, "c.pem", "--key", "k.pem"], 2, /The certificate file \S+c\.pem does not exist\./],
      [
        [...byFiles, "other.pem", "--key", "k.pem"],
        2,
        /is for other\.example, but the origin's name is guild\.ex/,
      ],
      [[...byFiles, "good.pem", "--key", "other.key"], 2, /the key does not belong to the certificate/],
      [["--yes", "--origin", ORIGIN, "--tls", "proxy", "--unit"], 2, /The unit cannot be installed\. /],
    ];
    for (const [args, code, says] of wrong) {
      const ended = await tool(args);
      expect(`${args.join(" ")}: ${ended.stderr}`).toMatch(says);
      expect(ended).toMatchObject({
        code,
        stdout: "",
        stderr: expect.stringMatching(/^guildhall: [^\n]+\n$/),
      });
    }
    expect(readdirSync(folder.path).sort()).toEqual(Object.keys(files).sort());
    const served = await tool([
      ...byFiles,
      "good.pem",
      "--key",
      "good.key",
      "--data",
      "e",
      "--settings",
      "e.toml",
    ]);
    expect(served.code).toBe(0);
    expect(parse(readFileSync(join(folder.path, "e.toml"), "utf8"))).toMatchObject({
      port: 443,
      http_port: 80,
      tls_cert: join(folder.path, "good.pem"),
      tls_key: join(folder.path, "good.key"),
    });
    const done = await tool(["--yes", "--origin", "http://localhost:9100", "--data", "d"]);
    expect(done).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^http:\/\/localhost:9100\/setup\?token=\S+\n$/),
    });
    const { origin, port, host } = parse(readFileSync(join(folder.path, "g.toml"), "utf8"));
    expect({ origin, port, host }).toEqual({
      origin: "http://localhost:9100",
      port: 9100,
      host: "127.0.0.1",
    });
    // Every command finds the data folder by the settings file.
    const invited = await run(getProgram(), ["builder", "invite", "--settings", "g.toml"], {
      cwd: folder.path,
    });
    expect(invited).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^http:\/\/localhost:9100\/sign-up\?invite=/),
    });
  });

  test("replaces an existing settings file only on request, with a copy, and keeps the other settings", async () => {
    using folder = emptyFolder();
    const file = join(folder.path, "g.toml");
    const before = 'retention = "7d"\nport = 9999\n';
    writeFileSync(file, before);
    const args = [
      "setup",
      "--yes",
      "--settings",
      "g.toml",
      "--origin",
      "http://localhost:9100",
      "--data",
      "d",
    ];
    const refused = await run(getProgram(), args, { cwd: folder.path });
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Overwrite it with --replace"),
    });
    expect([readFileSync(file, "utf8"), existsSync(join(folder.path, "d"))]).toEqual([before, false]);
    // A failed setup also keeps the old file.
    mkdirSync(join(folder.path, "d"));
    // The binary runs as the owner of the folder.
    const { uid, gid } = statSync(folder.path);
    chownSync(join(folder.path, "d"), uid, gid);
    writeFileSync(join(folder.path, "d/guildhall.key"), "");
    const broken = await run(getProgram(), [...args, "--replace"], { cwd: folder.path });
    expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining("key file but no database") });
    expect([readFileSync(file, "utf8"), readdirSync(folder.path).sort()]).toEqual([before, ["d", "g.toml"]]);
    const done = await run(getProgram(), [...args.slice(0, -1), "e", "--replace"], { cwd: folder.path });
    expect(done.code).toBe(0);
    expect(parse(readFileSync(file, "utf8"))).toMatchObject({ port: 9100, retention: "7d" });
    expect(readFileSync(`${file}.old`, "utf8")).toBe(before);
  });
}

interface Dialogue {
  /** Returns the output since the last answer, once the output ends with `ends`. */
  until(ends: RegExp): Promise<string>;
  answer(question: RegExp, text: string): Promise<void>;
  type(keys: string): void;
  output(): string;
  exited: Promise<number>;
}

function talk({ command }: Program, cwd: string, args: string[]): Dialogue {
  let output = "";
  let answered = 0;
  let onOutput = (): void => {};
  const child = Bun.spawn([...command, "setup", ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", TERM: "dumb" },
    terminal: {
      cols: 400,
      rows: 50,
      data(_, bytes) {
        // Removes terminal escape sequences.
        output += new TextDecoder().decode(bytes).replaceAll(/\u001b\[[\d;]*[A-Za-z]/g, "");
        onOutput();
      },
    },
  });
  const dialogue: Dialogue = {
    async until(ends) {
      while (!ends.test(output.slice(answered))) {
        const more = new Promise<void>((resolve) => (onOutput = resolve));
        const isOver = await Promise.race([more.then(() => false), child.exited.then(() => true)]);
        if (isOver) throw new Error(`it ended before it asked ${ends}: ${output}`);
      }
      return output.slice(answered);
    },
    async answer(question, text) {
      await dialogue.until(question);
      answered = output.length;
      dialogue.type(`${text}\r`);
    },
    type: (keys) => void child.terminal?.write(keys),
    output: () => output,
    exited: child.exited,
  };
  return dialogue;
}
