import { expect, test } from "bun:test";
import { blocksOf, follow, pageOf, ROOT } from "./documents.ts";
import { LONG_MS } from "./programs.ts";
import { openWorld } from "./world.ts";

test(
  "the commands of README.md and docs/graphql.md work as documented",
  async () => {
    await using world = await openWorld();
    if (!world) return;
    await world.type(`cd '${ROOT}'`);
    const lastToken = (output: string) => output.match(/guild_pat_\w+/g)?.at(-1) ?? "none yet";
    const readme = blocksOf("README.md", await pageOf("README.md"));
    const text = await follow(world, readme, (command, before) =>
      command.replace("guild_pat_…", lastToken(before)),
    );
    expect(text).toContain('"data":[');
    const graphql = blocksOf("docs/graphql.md", await pageOf("docs/graphql.md"));
    const query = await follow(world, graphql, (command) =>
      command.replace("<ACCESS_TOKEN>", lastToken(text)),
    );
    expect(query).toContain('{"data":{"feed":{"edges":[');
  },
  LONG_MS,
);
