import { readFileSync } from "node:fs";
import { join } from "node:path";

const SAMPLES = join(import.meta.dir, "../../docs/samples");

/** A sample as its reader has it, with the lines changed that the sample says to change. */
export function sample(path: string, changes: Readonly<Record<string, string>> = {}): string {
  let text = readFileSync(join(SAMPLES, path), "utf8");
  for (const [before, after] of Object.entries(changes)) {
    if (!text.includes(before)) throw new Error(`${path} has no ${before}`);
    text = text.replaceAll(before, after);
  }
  return text;
}

export interface Served {
  /** Another origin than the community's. */
  origin: string;
  [Symbol.dispose](): void;
}

/** Serves texts by their paths, as any static server does. */
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
