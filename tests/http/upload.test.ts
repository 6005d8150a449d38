// docs/threats.md#M04, docs/threats.md#M41
import { Busboy } from "@fastify/busboy";
import { expect, spyOn, test } from "bun:test";
import { CoreError } from "../../src/core/base/errors.ts";
import type { Sender } from "../../src/http/body.ts";
import { readTexts, readUpload } from "../../src/http/upload.ts";

test("refuses a file that arrives byte by byte, and deletes the received part", async () => {
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from(head)),
    pull: (controller) => Bun.sleep(5).then(() => controller.enqueue(Buffer.from("a"))),
  });
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  const request = new Request("http://guild.test/", { method: "POST", headers, body });
  let kept = 0;
  const refused = await readUpload(
    by(request),
    () =>
      Promise.resolve({
        write: ({ length }: Uint8Array) => Promise.resolve(void (kept += length)),
        length: () => kept,
        discard: () => Promise.resolve(void (kept = 0)),
      }),
    60,
  ).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(CoreError);
  expect(refused).toMatchObject({ code: "upload_too_slow" });
  expect(kept).toBe(0);
});

const by = (request: Request): Sender => ({ request, caller: undefined, address: () => "127.0.0.1" });

const TEXT =
  '--x\r\nContent-Disposition: form-data; name="text"\r\n\r\nA harbour, two tides\r\n' +
  '--x\r\nContent-Disposition: form-data; name="alt"\r\n\r\nÖresund\r\n';
const FILE = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
const END = "\r\n--x--\r\n";
const TYPED: [string, string][] = [
  ["text", "A harbour, two tides"],
  ["alt", "Öresund"],
];

/** A form whose body is produced on demand, with a count of the bytes read. */
function sent(
  pieces: Iterable<Uint8Array>,
  headers: Record<string, string> = {},
): { request: Request; taken(): number } {
  const coming = pieces[Symbol.iterator]();
  let taken = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { done, value } = coming.next();
        if (done || value === undefined) return controller.close();
        taken += value.byteLength;
        controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
  const type = { "content-type": "multipart/form-data; boundary=x", ...headers };
  return {
    request: new Request("http://guild.test/", { method: "POST", headers: type, body }),
    taken: () => taken,
  };
}

function* endless(first: string): Generator<Uint8Array> {
  yield Buffer.from(first);
  for (;;) yield Buffer.alloc(64 * 1024, "a");
}

test("reads the texts of a refused form wherever its body is split, with and without a file", async () => {
  for (const rest of [`${FILE}bytes of a picture`, FILE]) {
    const bytes = Buffer.from(TEXT + rest + END);
    for (let at = 1; at < bytes.length; at++) {
      const { request } = sent([bytes.subarray(0, at), bytes.subarray(at)]);

      expect([at, [...(await readTexts(by(request)))]]).toEqual([at, TYPED]);
    }
  }
});

test("stops reading a refused form at its file", async () => {
  const { request, taken } = sent(endless(TEXT + FILE));

  expect([...(await readTexts(by(request)))]).toEqual(TYPED);
  expect(taken()).toBeLessThan(256 * 1024);
});

test("stops reading a refused form at the limit of any form", async () => {
  const { request, taken } = sent(endless(TEXT + TEXT.slice(0, TEXT.indexOf("A harbour"))));

  expect([...(await readTexts(by(request)))]).toEqual(TYPED);
  expect(taken()).toBeLessThan(512 * 1024);
});

test("keeps the texts before the limit if one chunk of the body exceeds it", async () => {
  const { request } = sent([Buffer.concat([Buffer.from(TEXT + FILE), Buffer.alloc(1024 * 1024, "a")])]);

  expect([...(await readTexts(by(request)))]).toEqual(TYPED);
});

test("stops reading a refused form that arrives byte by byte", async () => {
  const drips = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from(TEXT + TEXT.slice(0, 60))),
    pull: (controller) => Bun.sleep(5).then(() => controller.enqueue(Buffer.from("a"))),
  });
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  const request = new Request("http://guild.test/", { method: "POST", headers, body: drips });

  expect([...(await readTexts(by(request), undefined, 60))]).toEqual(TYPED);
});

test("keeps the texts of an upload with a refused length, and reads nothing of its file", async () => {
  const { request, taken } = sent(endless(TEXT + FILE), { "content-length": String(17 * 1024 * 1024) });
  const fields = new URLSearchParams();
  let received = 0;

  const receive = (): Promise<never> => Promise.reject(new Error(`${++received}`));
  const refused = await readUpload(by(request), receive, 1000, fields).catch((error: unknown) => error);

  expect(refused).toMatchObject({ code: "upload_too_long" });
  expect([...fields]).toEqual(TYPED);
  expect(received).toBe(0);
  expect(taken()).toBeLessThan(256 * 1024);
});

test("parses a form of 4,000 parts in one chunk only up to its limit", async () => {
  using write = spyOn(Busboy.prototype, "write");
  const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n';
  const { request } = sent([Buffer.from(part.repeat(4_000) + END)]);

  const refused = await readUpload(by(request), () => Promise.reject(new Error("no file"))).catch(
    (error: unknown) => error,
  );

  expect(refused).toMatchObject({ code: "upload_malformed" });
  const pieces = write.mock.calls.map(([piece]) => (piece as Uint8Array).length);
  expect(Math.max(...pieces)).toBeLessThanOrEqual(16 * 1024);
  expect(pieces.reduce((all, length) => all + length, 0)).toBeLessThan((part.length * 4_000) / 2);
});
