// Tests docs/contract.md#12.2: replacing the certificate.
import { afterAll, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { connect } from "node:tls";
import { type Certificate, listen, type Listening } from "../../src/http/server.ts";
import { createAuthority } from "../delivery/authority.ts";

const authority = await createAuthority();
const [first, second] = await Promise.all([authority.issue(["127.0.0.1"]), authority.issue(["127.0.0.1"])]);
const trust = { tls: { ca: authority.pem } };
const servers: Listening[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop(0))));

const serialOf = ({ cert }: Certificate): string => new X509Certificate(cert).serialNumber;

/** Returns the certificate that a new connection receives. */
async function shownBy(url: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port), ca: authority.pem }, () =>
    resolve(socket.getPeerX509Certificate()?.serialNumber ?? ""),
  );
  socket.on("error", reject);
  return promise.finally(() => socket.destroy());
}

/** Starts a server whose streams send data when the test asks. */
function streaming(options: { drainMs?: number } = {}) {
  const controllers: ReadableStreamDefaultController[] = [];
  const server = listen(
    "127.0.0.1",
    0,
    () => () =>
      new Response(new ReadableStream({ start: (controller) => void controllers.push(controller) })),
    { certificate: first, ...options },
  );
  servers.push(server);
  const report = (text: string) =>
    controllers.forEach((each) => each.enqueue(new TextEncoder().encode(text)));
  const open = async () => {
    const answering = fetch(server.url, trust);
    while (controllers.length === 0) await Bun.sleep(1);
    report("a");
    const reader = ((await answering).body as ReadableStream<Uint8Array>).getReader();
    return { hear: async () => new TextDecoder().decode((await reader.read()).value) };
  };
  return { server, say: report, open };
}

test("new connections get a new certificate, while a stream continues on its old connection", async () => {
  const { server, say, open } = streaming();
  expect(server.url).toStartWith("https://127.0.0.1:");
  const stream = await open();
  expect(await stream.hear()).toBe("a");
  expect(await shownBy(server.url)).toBe(serialOf(first));
  server.useCertificate(second);
  expect(await shownBy(server.url)).toBe(serialOf(second));
  say("b");
  expect(await stream.hear()).toBe("b");
  server.useCertificate(first);
  expect(await shownBy(server.url)).toBe(serialOf(first));
  say("c");
  expect(await stream.hear()).toBe("c");
});

test("closes connections under an old certificate after a while", async () => {
  const { server, open } = streaming({ drainMs: 50 });
  const stream = await open();
  expect(await stream.hear()).toBe("a");
  server.useCertificate(second);
  // Waits 10 s, well below the timeout of an idle client.
  const late = Bun.sleep(10_000).then(() => "goes on");
  expect(await Promise.race([stream.hear().catch(() => "cut"), late])).toBeOneOf(["cut", ""]);
});

test("a certificate that does not match its key changes nothing", async () => {
  const { server } = streaming();
  expect(() => server.useCertificate({ cert: second.cert, key: first.key })).toThrow();
  expect(await shownBy(server.url)).toBe(serialOf(first));
});

test("a stop closes the listeners of every certificate", async () => {
  const { server, open } = streaming();
  const stream = await open();
  expect(await stream.hear()).toBe("a");
  server.useCertificate(second);
  await server.stop(50);
  expect(await stream.hear().catch(() => "cut")).toBeOneOf(["cut", ""]);
  expect(await shownBy(server.url).catch((error: Error & { code?: string }) => error.code)).toBe(
    "ECONNREFUSED",
  );
});
