/**
 * What every way of running the tests has in common: `bun test`, `bun test FILE`, with `--parallel` and from
 * an editor. A test may take a minute, since a machine may be slow and busy; whoever needs more says so
 * beside the test.
 *
 * bunfig.toml knows no time-out, and `setDefaultTimeout` holds for one file alone: so each begins with the
 * call.
 */
import { plugin } from "bun";
import { afterAll } from "bun:test";
import { getPriority } from "node:os";
import fc from "fast-check";
import { refreshMessages } from "../scripts/messages.ts";
import { isDrill } from "./drill.ts";
import { roomiestTemporaryFolder } from "./temporary.ts";

// What a test writes goes to memory, where the machine has room there: a commit on a disk waits for it.
process.env["TMPDIR"] = roomiestTemporaryFolder();

// A test never runs with the messages of before an edit.
refreshMessages();

// The suite draws the same examples each time, so that it fails for a change and never by chance; drills draw
// new ones.
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

// A worker whose priority is low is starved by whatever it tests, and so is each process that it starts.
const priority = getPriority();
afterAll(() => {
  if (getPriority() !== priority) throw new Error("a test lowered the priority of its own process");
});
