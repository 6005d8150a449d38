/**
 * An in-memory stub of the part of S3 that backups use. Does not check signatures. `bun run drill s3` uses a
 * real server.
 */
export function openFakeS3(modified: (key: string) => number = () => 0): {
  url: string;
  objects: Map<string, Uint8Array>;
  uploads: Map<string, Uint8Array[]>;
} & Disposable {
  const objects = new Map<string, Uint8Array>();
  const uploads = new Map<string, Uint8Array[]>();
  const xml = (body: string, status = 200): Response =>
    new Response(`<?xml version="1.0"?>${body}`, { status, headers: { "content-type": "application/xml" } });
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const key = decodeURIComponent(pathname.split("/").slice(2).join("/"));
      const upload = searchParams.get("uploadId") ?? "";
      if (request.method === "POST" && searchParams.has("uploads")) {
        const id = `upload-${uploads.size}`;
        uploads.set(id, []);
        return xml(
          `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
        );
      }
      if (request.method === "PUT" && upload !== "") {
        const parts = uploads.get(upload) ?? [];
        parts[Number(searchParams.get("partNumber")) - 1] = await request.bytes();
        return new Response("", { headers: { etag: `"${searchParams.get("partNumber")}"` } });
      }
      if (request.method === "POST" && upload !== "") {
        objects.set(key, Buffer.concat(uploads.get(upload) ?? []));
        return xml("<CompleteMultipartUploadResult/>");
      }
      if (request.method === "PUT") {
        objects.set(key, await request.bytes());
        return new Response("", { headers: { etag: '"1"' } });
      }
      if (request.method === "DELETE") {
        objects.delete(key);
        return new Response(null, { status: 204 });
      }
      if (key === "") return list(searchParams);
      const found = objects.get(key);
      return found ? new Response(Buffer.from(found)) : xml("<Error><Code>NoSuchKey</Code></Error>", 404);
    },
  });
  /** Lists two keys per page, so that clients must page. */
  function list(requested: URLSearchParams): Response {
    const after = requested.get("start-after") ?? "";
    const keys = [...objects.keys()]
      .filter((key) => key.startsWith(requested.get("prefix") ?? "") && key > after)
      .sort();
    const contents = keys
      .slice(0, 2)
      .map(
        (key) =>
          `<Contents><Key>${key}</Key><LastModified>${new Date(modified(key)).toISOString()}</LastModified><Size>1</Size></Contents>`,
      );
    return xml(
      `<ListBucketResult><IsTruncated>${keys.length > 2}</IsTruncated>${contents.join("")}</ListBucketResult>`,
    );
  }
  return { url: server.url.origin, objects, uploads, [Symbol.dispose]: () => void server.stop(true) };
}
