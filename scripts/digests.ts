/**
 * `bun run digests` pins the base images of the Dockerfile. It asks each registry for the current digest of
 * the image's tag and writes the digest after the name. Builds then use the same bytes until the next run. If
 * a registry cannot be reached, nothing is changed.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const DOCKERFILE = join(import.meta.dir, "../Dockerfile");
/** Media types of a multi-platform image in both formats. */
const LISTS =
  "application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json";
const HOSTS: Readonly<Record<string, string>> = { "docker.io": "https://registry-1.docker.io" };

/** Returns the Dockerfile's text with the current digest in each FROM of an external image. */
export async function pinned(
  dockerfile: string,
  hosts: Readonly<Record<string, string>> = HOSTS,
): Promise<string> {
  let text = dockerfile;
  for (const [line, name = ""] of dockerfile.matchAll(/^FROM (\S+?)(?:@sha256:\w+)?(?= |$)/gm)) {
    const [, host = "", path = "", tag = ""] =
      /^([\w.-]+\.[\w.-]+(?::\d+)?)\/([\w./-]+):([\w.-]+)$/.exec(name) ?? [];
    if (tag === "") throw new Error(`${name} is not written out as registry/path:tag`);
    const digest = await digestOf(hosts[host] ?? `https://${host}`, path, tag);
    text = text.replace(line, `FROM ${name}@${digest}`);
  }
  return text;
}

/**
 * Returns a digest per the distribution specification (https://github.com/opencontainers/distribution-spec).
 */
async function digestOf(registry: string, path: string, tag: string): Promise<string> {
  const url = `${registry}/v2/${path}/manifests/${tag}`;
  const ask = (headers: Record<string, string>) => fetch(url, { headers: { accept: LISTS, ...headers } });
  let answer = await ask({});
  if (answer.status === 401) answer = await ask({ authorization: `Bearer ${await tokenOf(answer)}` });
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
  const digest = `sha256:${createHash("sha256")
    .update(await answer.bytes())
    .digest("hex")}`;
  const header = answer.headers.get("docker-content-digest");
  if (header !== null && header !== digest)
    throw new Error(`${url} is ${digest}, and says that it is ${header}`);
  return digest;
}

/** Gets the anonymous token that a registry's challenge asks for. */
async function tokenOf(answer: Response): Promise<string> {
  const challenge = answer.headers.get("www-authenticate") ?? "";
  const { realm = "", ...rest } = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]),
  );
  const response = await fetch(`${realm}?${new URLSearchParams(rest).toString()}`);
  const { token } = (await response.json()) as { token?: string };
  if (token === undefined) throw new Error(`${realm} gives no token`);
  return token;
}

if (import.meta.main) {
  const before = readFileSync(DOCKERFILE, "utf8");
  try {
    const after = await pinned(before);
    writeFileSync(DOCKERFILE, after);
    console.log(after.match(/^FROM .*$/gm)?.join("\n"));
  } catch (error) {
    console.error(`Nothing is pinned: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}
