import { run } from "./program.ts";

// A reader such as `head` may close the pipe early: that is no fault of the program.
process.stdout.on("error", (error: Error & { code?: string }) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

process.exitCode = await run(process.argv, process.env);
