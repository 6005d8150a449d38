import type { Command } from "commander";
import { DEMO_SEED, DEMO_SIZE, fillDemo, fillShowcase } from "../demo/demo.ts";
import type { CommunitySize } from "../demo/community.ts";
import { countWithNoun } from "../core/base/count-with-noun.ts";
import { type DataFlags, dataOption, wholeNumber, type Environment } from "./options.ts";
import { progressBar } from "./progress.ts";
import { createEncoder } from "../media/encoder.ts";
import { createPictureStorage } from "../media/picture-storage.ts";
import { configOf, withCore } from "./with-core.ts";

interface DemoFlags extends DataFlags {
  builders: number;
  posts: number;
  jobs: number;
  prompts: number;
  seed: number;
}

/** With one of these options, the demo is generated only: no hand-written part, and no rows for likes. */
const GENERATED = ["builders", "posts", "jobs", "prompts", "seed"];

export function addDemoCommand(program: Command, environment: Environment): void {
  dataOption(program.command("demo"))
    .description("Fill an empty database with a demo community; the same seed gives the same community")
    .option("--builders <n>", "Number of members", wholeNumber("--builders", 1, 100_000), DEMO_SIZE.builders)
    .option("--posts <n>", "Number of posts", wholeNumber("--posts", 0, 10_000_000), DEMO_SIZE.posts)
    .option("--jobs <n>", "Number of jobs", wholeNumber("--jobs", 0, 1_000_000), DEMO_SIZE.jobs)
    .option("--prompts <n>", "Number of prompts", wholeNumber("--prompts", 0, 1_000_000), DEMO_SIZE.prompts)
    .option(
      "--seed <n>",
      "Random seed; another number gives another community",
      wholeNumber("--seed", 0, 2 ** 32 - 1),
      DEMO_SEED,
    )
    .action(async ({ data, settings, seed, ...wanted }: DemoFlags, command: Command) => {
      let size: CommunitySize = wanted;
      const isGenerated = GENERATED.some((name) => command.getOptionValueSource(name) === "cli");
      await withCore(
        environment,
        {
          ...(data === undefined ? {} : { data }),
          ...(settings === undefined ? {} : { settings }),
          mayCreate: true,
        },
        async (core) => {
          const bar = progressBar();
          if (isGenerated) await fillDemo(core, wanted, seed, bar.show);
          else {
            const { data: folder } = configOf(environment, {
              ...(data !== undefined && { data }),
              ...(settings !== undefined && { settings }),
            });
            size = await fillShowcase(core, createPictureStorage(folder, createEncoder()), bar.show);
          }
          bar.done();
        },
      );
      process.stdout.write(
        `${countWithNoun(size.builders, "builder")}, ${countWithNoun(size.posts, "post")}, ${countWithNoun(size.jobs, "job")}, ${countWithNoun(size.prompts, "prompt")}\n`,
      );
    });
}
