/** Encodes pictures in this process, for tests that are not about encoder processes. */
import { reencodeFile } from "../../src/app/picture-process.ts";
import type { Encoder } from "../../src/media/encoder.ts";
import { type TestServer, openTestServer } from "../support.ts";

export function inProcessEncoder(): Encoder {
  return {
    draw: async (file, folder) => JSON.parse(await reencodeFile(file, folder)),
    waiting: () => 0,
    stop: async () => {},
  };
}

type Options = Parameters<typeof openTestServer>[0];

export function openGallery(options: Options = {}): ReturnType<typeof openTestServer> {
  return openTestServer({ encoder: inProcessEncoder(), ...options });
}

export interface SentMedia {
  id: string;
  url: string;
  width: number;
  height: number;
  alt: string;
}

export function send(
  { url }: Pick<TestServer, "url">,
  token: string | undefined,
  bytes: Uint8Array,
  alt?: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const form = new FormData();
  if (alt !== undefined) form.set("alt", alt);
  form.set("file", new File([new Uint8Array(bytes)], "holiday.exe", { type: "text/html" }));
  return fetch(`${url}/v1/media`, {
    method: "POST",
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    body: form,
  });
}

/** Uploads a valid picture. Throws if it is refused. */
export async function sent(server: Pick<TestServer, "url">, token: string, bytes: Uint8Array, alt?: string) {
  const answer = await send(server, token, bytes, alt);
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as SentMedia;
}

export function urlOf({ url }: Pick<TestServer, "url">, media: Pick<SentMedia, "url">): string {
  return url + new URL(media.url).pathname;
}
