/**
 * Setup for every way to run tests: `bun test`, `bun test FILE`, `--parallel` and editors. A test may take a
 * minute, because a machine may be slow and busy. A test that needs more sets its own timeout.
 *
 * bunfig.toml has no timeout setting, and `setDefaultTimeout` applies to one file only. So a call is
 * prepended to each test file.
 */
import { plugin } from "bun";
import { afterAll } from "bun:test";
import { getPriority } from "node:os";
import fc from "fast-check";
import { refreshMessages } from "../scripts/messages.ts";
import { isDrill } from "./drill.ts";
import { roomiestTemporaryFolder } from "./temporary.ts";

// Temporary files are in memory if there is enough space, because commits would wait for a disk.
process.env["TMPDIR"] = roomiestTemporaryFolder();

// Rebuilds the messages, so that tests see the latest edits.
refreshMessages();

// The suite uses fixed random examples, so that a failure is never random. Drills use new ones.
if (!isDrill) fc.configureGlobal({ seed: 7 });

const MINUTE_MS = 60_000;
const CALL = `import { setDefaultTimeout as __patience } from "bun:test"; __patience(${MINUTE_MS}); `;

plugin({
  name: "a minute for each test",
  setup(build) {
    build.onLoad({ filter: /\.test\.tsx?$/ }, async ({ path }) => ({
      contents: CALL + (await Bun.file(path).text()),
      loader: path.endsWith("x") ? "tsx" : "ts",
    }));
  },
});

// A test must not lower the priority of its own process. Otherwise the programs under test starve the worker
// and its child processes.
const priority = getPriority();
afterAll(() => {
  if (getPriority() !== priority) throw new Error("a test lowered the priority of its own process");
});
