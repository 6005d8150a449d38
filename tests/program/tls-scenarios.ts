import { expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { type Certificate, createAuthority } from "../delivery/authority.ts";
import { openReceiver, until } from "../delivery/receiver.ts";
import { emptyFolder, type Program, run, serve } from "./programs.ts";

/** docs/contract.md#12.2: TLS of the whole program, and the authorities that it trusts. */
export function tlsScenarios(getProgram: () => Program): void {
  const makeToken = async (cwd: string): Promise<string> => {
    await run(getProgram(), ["builder", "create", "ada", "--data", "d"], { cwd });
    return (await run(getProgram(), ["token", "create", "ada", "--data", "d"], { cwd })).stdout.trim();
  };

  test("SIGHUP serves a renewed certificate file under open streams, and a wrong file prevents the start", async () => {
    using folder = emptyFolder();
    const authority = await createAuthority();
    const write = ({ cert, key }: Certificate): void => {
      writeFileSync(join(folder.path, "cert.pem"), cert);
      writeFileSync(join(folder.path, "key.pem"), key);
    };
    const [first, second] = [
      await authority.issue(["guild.example"]),
      await authority.issue(["guild.example"]),
    ];
    const env = {
      GUILDHALL_ORIGIN: "https://guild.example",
      GUILDHALL_TLS_CERT: "cert.pem",
      GUILDHALL_TLS_KEY: "key.pem",
      GUILDHALL_HTTP_PORT: "0",
    };
    write({ cert: first.cert, key: second.key });
    const refused = await run(getProgram(), ["serve", "--port", "0", "--data", "e"], {
      cwd: folder.path,
      env,
    });
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(/^guildhall: [^\n]*the key does not belong to the certificate[^\n]*\n$/);
    expect(existsSync(join(folder.path, "e"))).toBe(false);

    write(first);
    const token = await makeToken(folder.path);
    await using server = await serve(getProgram(), { cwd: folder.path, args: ["--data", "d"], env });
    expect(server.url).toStartWith("https://127.0.0.1:");
    const trust = { tls: { ca: authority.pem, serverName: "guild.example" } } as RequestInit;
    const headers = { host: "guild.example", authorization: `Bearer ${token}` };
    const post = (text: string) =>
      fetch(`${server.url}/v1/feed`, {
        ...trust,
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ text }),
      });
    const leave = new AbortController();
    const stream = await fetch(`${server.url}/v1/events`, {
      ...trust,
      headers: { ...headers, accept: "text/event-stream" },
      signal: leave.signal,
    });
    let output = "";
    void (async () => {
      for await (const part of stream.body ?? []) output += new TextDecoder().decode(part);
    })().catch(() => {});
    expect((await post("under the first")).status).toBe(201);
    await until(() => output.includes("under the first"));
    expect(await serialAt(server.url)).toBe(serialOf(first));

    write(second);
    server.signal("SIGHUP");
    await until(() => server.output().includes("new certificate loaded"));
    expect(await serialAt(server.url)).toBe(serialOf(second));
    expect((await post("under the second")).status).toBe(201);
    await until(() => output.includes("under the second"));
    leave.abort();
    const [, plain = ""] = /"http":"([^"]+)"/.exec(server.output()) ?? [];
    const sent = await fetch(`${plain}/jobs?q=x`, { redirect: "manual" });
    expect([sent.status, sent.headers.get("location")]).toEqual([308, "https://guild.example/jobs?q=x"]);
    expect(server.output()).not.toContain("PRIVATE KEY");
    server.signal("SIGTERM");
    expect(await server.exited).toBe(0);
  });

  test("deliveries trust only the machine's authorities and those of GUILDHALL_WEBHOOK_CA", async () => {
    using folder = emptyFolder();
    const [machine, own, stranger] = await Promise.all(
      ["Machine", "Own", "Stranger"].map((name) => createAuthority(`CN=${name}`)),
    );
    if (!machine || !own || !stranger) throw new Error("no authorities");
    writeFileSync(join(folder.path, "machine.pem"), machine.pem);
    writeFileSync(join(folder.path, "own.pem"), own.pem);
    const receivers = await Promise.all(
      [machine, own, stranger].map(async (each) => openReceiver([204], await each.issue(["127.0.0.1"]))),
    );
    try {
      const token = await makeToken(folder.path);
      // These variables add authorities, so that the test need not change the machine's own store.
      for (const variable of ["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"]) {
        for (const receiver of receivers) receiver.received.length = 0;
        await using server = await serve(getProgram(), {
          cwd: folder.path,
          args: ["--data", "d"],
          env: {
            [variable]: join(folder.path, "machine.pem"),
            GUILDHALL_WEBHOOK_CA: "own.pem",
            GUILDHALL_WEBHOOK_ALLOW: "127.0.0.1",
          },
        });
        const ask = (path: string, body: unknown) =>
          fetch(`${server.url}/v1${path}`, {
            method: "POST",
            headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
            body: JSON.stringify(body),
          });
        if (variable === "SSL_CERT_FILE") {
          for (const { port } of receivers) {
            const created = await ask("/webhooks", {
              url: `https://127.0.0.1:${port}/`,
              events: ["post.created"],
            });
            expect(created.status).toBe(201);
          }
        }
        await ask("/feed", { text: "trusted" });
        const [ofMachine, ofOwn, ofStranger] = receivers.map(({ received }) => received);
        await until(() => ofMachine?.length === 1 && ofOwn?.length === 1);
        expect(ofStranger).toEqual([]);
        server.signal("SIGTERM");
        expect(await server.exited).toBe(0);
      }
    } finally {
      for (const receiver of receivers) await receiver[Symbol.asyncDispose]();
    }
  });
}

const serialOf = ({ cert }: Certificate): string => new X509Certificate(cert).serialNumber;

/** Serial number of the certificate that a new connection receives. */
function serialAt(url: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(
    { host: "127.0.0.1", port: Number(new URL(url).port), rejectUnauthorized: false },
    () => resolve(socket.getPeerX509Certificate()?.serialNumber ?? ""),
  );
  socket.on("error", reject);
  return promise.finally(() => socket.destroy());
}
