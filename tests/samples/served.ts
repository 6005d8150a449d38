import { readFileSync } from "node:fs";
import { join } from "node:path";

const SAMPLES = join(import.meta.dir, "../../docs/samples");

/** Returns a sample's text with some lines replaced, as the sample tells its reader to do. */
export function sample(path: string, changes: Readonly<Record<string, string>> = {}): string {
  let text = readFileSync(join(SAMPLES, path), "utf8");
  for (const [before, after] of Object.entries(changes)) {
    if (!text.includes(before)) throw new Error(`${path} has no ${before}`);
    text = text.replaceAll(before, after);
  }
  return text;
}

export interface Served {
  /** An origin that differs from the community's. */
  origin: string;
  [Symbol.dispose](): void;
}

/** Serves texts by path, like a static server. */
export function serve(texts: () => Readonly<Record<string, string>>): Served {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch({ url }) {
      const { pathname } = new URL(url);
      const text = texts()[pathname === "/" ? "/index.html" : pathname];
      const type = pathname.endsWith(".js") ? "text/javascript" : "text/html";
      return text === undefined
        ? new Response("Not found", { status: 404 })
        : new Response(text, { headers: { "content-type": `${type}; charset=utf-8` } });
    },
  });
  return { origin: `http://127.0.0.1:${server.port}`, [Symbol.dispose]: () => void server.stop(true) };
}
