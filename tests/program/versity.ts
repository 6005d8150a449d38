import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

/** A real S3 server on a local folder with one bucket. */
export interface Versity extends AsyncDisposable {
  url: string;
  bucket: string;
  id: string;
  secret: string;
}

/** `gateway` is the path of versitygw. `folder` must be empty. */
export async function serveS3(gateway: string, folder: string): Promise<Versity> {
  const bucket = join(folder, "s3/bkt");
  mkdirSync(bucket, { recursive: true });
  mkdirSync(join(folder, "meta"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const [id, secret] = ["guildhall", "a secret of the drill"];
  const server = Bun.spawn(
    [gateway, "--port", `127.0.0.1:${port}`, "posix", "--sidecar", join(folder, "meta"), join(folder, "s3")],
    {
      env: { ...process.env, ROOT_ACCESS_KEY: id, ROOT_SECRET_KEY: secret },
      stdio: ["ignore", "ignore", "ignore"],
    },
  );
  while (!(await fetch(url).catch(() => undefined))) await Bun.sleep(20);
  return {
    url,
    bucket,
    id,
    secret,
    async [Symbol.asyncDispose]() {
      server.kill();
      await server.exited;
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
