import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../delivery/receiver.ts";
import { emptyFolder, environment, type Program, run, serve } from "./programs.ts";

/** docs/contract.md#12.16: signals to the whole program. */
export function signalScenarios(getProgram: () => Program): void {
  const FILE = "settings.toml";
  const args = ["--data", "d", "--settings", FILE];

  test("a reload applies changed settings, names those that need a restart, and ignores a wrong file", async () => {
    using folder = emptyFolder();
    const file = join(folder.path, FILE);
    writeFileSync(file, 'name = "First"\n');
    await using server = await serve(getProgram(), { cwd: folder.path, args });
    const title = async () =>
      /<title>[^<]*· ([^<]*)</.exec(await (await fetch(`${server.url}/sign-in`)).text())?.[1];
    const reload = async (text: string | undefined, pattern: RegExp) => {
      if (text !== undefined) writeFileSync(file, text);
      const before = server.output().length;
      server.signal("SIGHUP");
      await until(() => pattern.test(server.output().slice(before)));
    };
    expect(await title()).toBe("First");
    await reload(
      'name = "Second"\norigin = "https://guild.example"\n',
      /"taken":\["GUILDHALL_NAME"\],"restart":\["GUILDHALL_ORIGIN"\],"msg":"settings reloaded, some/,
    );
    expect(await title()).toBe("Second");
    await reload(
      "name = 'Third'\nsignups = 'open'\n",
      /"reason":"signups in settings\.toml line 2 is not a setting\.[^\n]*settings unchanged/,
    );
    await reload("name = [\n", /"reason":"settings\.toml line \d+ is not valid TOML/);
    expect(await title()).toBe("Second");
    await reload('name = "Fourth"\n', /"taken":\["GUILDHALL_NAME"\],"msg":"settings reloaded"/);
    await reload(undefined, /settings reloaded, nothing changed/);
    expect(await title()).toBe("Fourth");
    expect((await run(getProgram(), ["settings", ...args], { cwd: folder.path })).stdout).toContain(
      "A reload applies changes",
    );
    server.signal("SIGTERM");
    expect(await server.exited).toBe(0);
  });

  test("a thousand SIGHUP in a second cause few reloads, and never end the server", async () => {
    using folder = emptyFolder();
    writeFileSync(join(folder.path, FILE), 'name = "A"\n');
    const child = Bun.spawn([...getProgram().command, "serve", "--port", "0", ...args], {
      cwd: folder.path,
      // With this variable set, the program does not restart itself. During such a restart, a signal would
      // have its default action.
      env: environment({ BUN_CONFIG_MAX_HTTP_REQUESTS: "4096" }),
      stdout: "pipe",
      stderr: "inherit",
    });
    let output = "";
    const read = (async () => {
      for await (const part of child.stdout) output += new TextDecoder().decode(part);
    })();
    await until(() => catches(child.pid, 1));
    const storm = async (count: number) => {
      for (let sent = 0; sent < count && child.exitCode === null; sent++) {
        child.kill("SIGHUP");
        if (sent % 10 === 9) await Bun.sleep(1);
      }
    };
    while (!output.includes('"msg":"listening"') && child.exitCode === null) await storm(20);
    const [, url = ""] = /"url":"([^"]+)"/.exec(output) ?? [];
    const from = Date.now();
    await Promise.all([
      storm(1000),
      ...Array.from({ length: 20 }, async () => expect((await fetch(`${url}/healthz`)).status).toBe(200)),
    ]);
    const seconds = (Date.now() - from) / 1000;
    const reloads = output.match(/settings reloaded/g)?.length ?? 0;
    expect(reloads).toBeGreaterThan(0);
    expect(reloads).toBeLessThanOrEqual(3 + Math.ceil(seconds));
    child.kill("SIGTERM");
    await storm(1000);
    expect(await child.exited).toBe(0);
    await read;
    expect(output).toContain('"msg":"stopped"');
  });

  test("SIGUSR1 and SIGUSR2 do not end the server, and repeats within a second log one line", async () => {
    using folder = emptyFolder();
    await using server = await serve(getProgram(), { cwd: folder.path, args: ["--data", "d"] });
    for (const signal of ["SIGUSR1", "SIGUSR2"] as const) {
      for (let sent = 0; sent < 20; sent++) server.signal(signal);
      await until(() => server.output().includes(`"signal":"${signal}","msg":"signal ignored`));
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    }
    expect(server.output().match(/signal ignored/g)?.length).toBeLessThan(6);
    server.signal("SIGTERM");
    expect(await server.exited).toBe(0);
  });

  test("SIGQUIT or a second stop signal ends the server at once, with a message and an exit code", async () => {
    using folder = emptyFolder();
    {
      await using server = await serve(getProgram(), { cwd: folder.path, args: ["--data", "d"] });
      server.signal("SIGQUIT");
      expect(await server.exited).toBe(1);
      expect(server.output()).toEndWith(
        "guildhall: SIGQUIT received, stopped at once. All acknowledged writes are on disk.\n",
      );
    }
    await using server = await serve(getProgram(), { cwd: folder.path, args: ["--data", "d"] });
    const { hostname, port } = new URL(server.url);
    const socket = await Bun.connect({ hostname, port: Number(port), socket: { data() {} } });
    socket.write("POST /v1/feed HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{");
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    server.signal("SIGINT");
    await until(() => server.output().includes('"msg":"stopping"'));
    server.signal("SIGINT");
    expect(await server.exited).toBe(1);
    expect(server.output()).toMatch(/"signal":"SIGINT","msg":"second stop signal, stopped at once[^\n]*\n$/);
    socket.end();
  });
}

/** Whether the process has a handler for the signal (proc(5)). */
function catches(pid: number, signal: number): boolean {
  const [, mask = "0"] = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return ((BigInt(`0x${mask}`) >> BigInt(signal - 1)) & 1n) === 1n;
}
