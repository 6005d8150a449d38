import { lowerPriority } from "./priority.ts";
import { restartWithRequestLimit } from "./request-limit.ts";

// These signals may come at any moment of a server's life, also before it can reload
// (docs/contract.md#12.16).
if (process.argv[2] === "serve")
  for (const signal of ["SIGHUP", "SIGUSR1", "SIGUSR2"]) process.on(signal, () => {});

/** A command that is done ends at once, and after this time at the latest. */
const LINGER_MS = 1000;

restartWithRequestLimit(process);

// Whoever reads our output may leave early, as `head` does, or die, as a log collector can: neither ends the
// program.
process.stdout.on("error", (error: Error & { code?: string }) => {
  if (error.code === "EPIPE") return;
  process.stderr.write(`guildhall: The output cannot be written (${error.code ?? error.message}).\n`);
  process.exit(1);
});

// Hostile bytes are read in a process that has loaded nothing else, and is told nothing
// (docs/threats.md#M04).
if (process.argv[2] === "re-encode") {
  // The requests come first.
  lowerPriority();
  const { reencodeFile } = await import("../app/picture-process.ts");
  const [, , , file = "", folder = ""] = process.argv;
  process.stdout.write(await reencodeFile(file, folder));
} else {
  // After the lines above, or all of it would be loaded twice.
  const { run } = await import("./program.ts");
  process.exitCode = await run(process.argv, { variables: process.env, lowerPriority });
  // A request to S3 that is never answered cannot be cancelled, and would keep the process alive.
  process.stdout.write("", () => setTimeout(() => process.exit(), LINGER_MS).unref());
}
