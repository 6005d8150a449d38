import { run } from "./program.ts";

// Whoever reads our output may leave early, as `head` does, or die, as a log collector can: neither ends the program.
process.stdout.on("error", (error: Error & { code?: string }) => {
  if (error.code !== "EPIPE") throw error;
});

process.exitCode = await run(process.argv, process.env);
