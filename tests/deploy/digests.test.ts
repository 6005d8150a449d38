import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { pinned } from "../../scripts/digests.ts";

const LIST = `{"schemaVersion":2}`;
const DIGEST = `sha256:${createHash("sha256").update(LIST).digest("hex")}`;
const FILE = `FROM registry.example/oven/bun:1.2.3-slim AS build
COPY a b
FROM registry.example/library/debian:bookworm-slim
COPY --from=build /x /y
`;
const PINNED = FILE.replace("-slim AS", `-slim@${DIGEST} AS`).replace("-slim\n", `-slim@${DIGEST}\n`);

/** A registry that requires a token for the repository, as the large registries do. */
function registry(digest: string, requests: string[] = []) {
  const server: Bun.Server<undefined> = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request): Response {
      const { pathname, search } = new URL(request.url);
      requests.push(`${pathname}${search}`);
      if (pathname === "/token") return Response.json({ token: "t" });
      if (request.headers.get("authorization") !== "Bearer t")
        return new Response(null, {
          status: 401,
          headers: {
            "www-authenticate": `Bearer realm="${server.url.origin}/token",service="r",scope="pull"`,
          },
        });
      if (!pathname.startsWith("/v2/")) return new Response(null, { status: 404 });
      return new Response(LIST, { headers: { "docker-content-digest": digest } });
    },
  });
  return server;
}

test("pins the image's bases to the digests of their registry, and updates them later", async () => {
  const requests: string[] = [];
  using server = registry(DIGEST, requests);
  const hosts = { "registry.example": server.url.origin };
  expect(await pinned(FILE, hosts)).toBe(PINNED);
  expect(requests).toContain("/v2/library/debian/manifests/bookworm-slim");
  expect(requests).toContain("/token?service=r&scope=pull");
  expect(await pinned(PINNED.replaceAll(DIGEST, `sha256:${"0".repeat(64)}`), hosts)).toBe(PINNED);
});

test("pins nothing if the registry reports another digest than that of its bytes, or has no such image", async () => {
  using liar = registry(`sha256:${"1".repeat(64)}`);
  const pin = (file: string) => pinned(file, { "registry.example": liar.url.origin });
  await expect(pin(FILE)).rejects.toThrow("says that it is sha256:1111");
  await expect(pin("FROM debian")).rejects.toThrow("registry/path:tag");
});
