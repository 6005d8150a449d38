/** First preload of every test run: reports missing dependencies before anything imports a package. */
import { existsSync } from "node:fs";
import { join } from "node:path";

if (!existsSync(join(import.meta.dir, "../node_modules/fast-check"))) {
  console.error("The dependencies are not installed. Run `bun run deps` first, then `bun test` again.");
  process.exit(1);
}
