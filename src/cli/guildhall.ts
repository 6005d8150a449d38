import { lowerPriority } from "./priority.ts";
import { restartWithRequestLimit } from "./request-limit.ts";

// Ignores these signals until the server handles them. They can arrive at any time (docs/contract.md#12.16).
if (process.argv[2] === "serve")
  for (const signal of ["SIGHUP", "SIGUSR1", "SIGUSR2"]) process.on(signal, () => {});

/** A finished command ends at once, or after this time at the latest. */
const LINGER_MS = 1000;

restartWithRequestLimit(process);

// The reader of the output may close it early, as `head` does, or crash, as a log collector can. Neither may
// end the program.
process.stdout.on("error", (error: Error & { code?: string }) => {
  if (error.code === "EPIPE") return;
  process.stderr.write(`guildhall: The output cannot be written (${error.code ?? error.message}).\n`);
  process.exit(1);
});

// Untrusted bytes are decoded in a process that loads nothing else and receives no secrets
// (docs/threats.md#M04).
if (process.argv[2] === "re-encode") {
  // Requests have priority over decoding.
  lowerPriority();
  const { reencodeFile } = await import("../app/picture-process.ts");
  const [, , , file = "", folder = ""] = process.argv;
  process.stdout.write(await reencodeFile(file, folder));
} else {
  // Imported only after the restart above. Otherwise a server would load the whole program twice.
  const { run } = await import("./program.ts");
  process.exitCode = await run(process.argv, { variables: process.env, lowerPriority });
  // A request to S3 that never gets a response cannot be cancelled, and would keep the process alive.
  process.stdout.write("", () => setTimeout(() => process.exit(), LINGER_MS).unref());
}
