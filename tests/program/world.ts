import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/**
 * An isolated machine for the commands of a document. Commands see this machine's files under a layer that
 * discards all changes. The only network is loopback, and processes end with the world. Only root can make
 * one.
 */
export interface World extends AsyncDisposable {
  /** Types a line into the shell and waits for its end. */
  type(line: string): Promise<{ code: number; output: string }>;
}

const BEGIN = `
set -e
mount -t tmpfs tmpfs "$W"
mkdir "$W/upper" "$W/work" "$W/root"
mount -t overlay -o "lowerdir=/,upperdir=$W/upper,workdir=$W/work" overlay "$W/root"
mount --rbind /dev "$W/root/dev"
mount -t proc proc "$W/root/proc"
mount -t tmpfs tmpfs "$W/root/run"
mkdir -p "$W/root/run/systemd/system"
ip link set lo up
cp -a "$W.files/." "$W/root/"
exec chroot "$W/root" env -i PATH="/opt/stand-ins:$PATH" HOME=/root TERM=dumb LANG=C.UTF-8 bash --norc --noprofile
`;

/** Stand-ins for programs that this machine may lack. Each one does what the documents need. */
const STAND_INS = {
  "/opt/stand-ins/npx": `#!/bin/sh
[ "$1 $2" = "-y bun@1.4.5" ] || exit 64
shift 2
exec '${process.execPath}' "$@"
`,
  // Makes error responses fail the command.
  "/opt/stand-ins/curl": '#!/bin/sh\nexec /usr/bin/curl --fail-with-body -sS "$@"\n',
};

/** Returns undefined, and prints a reason, if this machine or user cannot make a world. */
export async function openWorld(files: Readonly<Record<string, string>> = {}): Promise<World | undefined> {
  const world = await tryWorld({ ...STAND_INS, ...files });
  if (!world) console.log("this machine gives no world of its own (root, unshare, ip): no command was run");
  return world;
}

async function tryWorld(files: Readonly<Record<string, string>>): Promise<World | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "guildhall-world-"));
  const layer = `${folder}.files`;
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(layer, path)), { recursive: true });
    writeFileSync(join(layer, path), text, { mode: path.startsWith("/opt/") ? 0o755 : 0o644 });
  }
  const remove = () => {
    for (const each of [folder, layer]) rmSync(each, { recursive: true, force: true });
  };
  if (process.getuid?.() !== 0 || Bun.which("unshare") === null || Bun.which("ip") === null) {
    remove();
    return undefined;
  }
  const shell = Bun.spawn(
    ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "bash", "-c", BEGIN],
    {
      env: { W: folder, PATH: process.env["PATH"] ?? "" },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  let output = "";
  let onOutput = (): void => {};
  const collect = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      output += decoder.decode(chunk, { stream: true });
      onOutput();
    }
  };
  const ended = Promise.all([collect(shell.stdout), collect(shell.stderr), shell.exited]);
  const world: World = {
    async type(line) {
      output = "";
      // Prints the exit code between separators that no command prints.
      void shell.stdin.write(`{ ${line}\n} </dev/null 2>&1; printf '\\036%d\\036' $?\n`);
      await shell.stdin.flush();
      for (;;) {
        const found = /^([\s\S]*)\u001e(\d+)\u001e$/.exec(output);
        if (found) return { output: found[1] ?? "", code: Number(found[2]) };
        const more = new Promise<boolean>((resolve) => (onOutput = () => resolve(false)));
        if (await Promise.race([more, ended.then(() => true)])) throw new Error(`the world ended: ${output}`);
      }
    },
    async [Symbol.asyncDispose]() {
      shell.kill("SIGKILL");
      await ended;
      remove();
    },
  };
  const isReady = await world.type("true").then(
    ({ code }) => code === 0,
    () => false,
  );
  if (isReady) return world;
  await world[Symbol.asyncDispose]();
  return undefined;
}
