// docs/threats.md#M04
import { expect, test } from "bun:test";
import { CoreError } from "../../src/core/ground/errors.ts";
import { readUpload } from "../../src/http/upload.ts";

test("a file that comes by drips is refused in the end, and what came of it is gone", async () => {
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n';
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from(head)),
    pull: (controller) => Bun.sleep(5).then(() => controller.enqueue(Buffer.from("a"))),
  });
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  const request = new Request("http://guild.test/", { method: "POST", headers, body });
  let kept = 0;
  const refused = await readUpload(
    request,
    () =>
      Promise.resolve({
        write: ({ length }: Uint8Array) => Promise.resolve(void (kept += length)),
        length: () => kept,
        drop: () => Promise.resolve(void (kept = 0)),
      }),
    60,
  ).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(CoreError);
  expect(refused).toMatchObject({ code: "upload_too_slow" });
  expect(kept).toBe(0);
});
