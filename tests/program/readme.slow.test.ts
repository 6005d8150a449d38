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
    const lastToken = (said: string) => said.match(/guild_pat_\w+/g)?.at(-1) ?? "none yet";
    const readme = blocksOf("README.md", await pageOf("README.md"));
    const said = await follow(world, readme, (command, before) =>
      command.replace("guild_pat_…", lastToken(before)),
    );
    expect(said).toContain('"data":[');
    const graphql = blocksOf("docs/graphql.md", await pageOf("docs/graphql.md"));
    const asked = await follow(world, graphql, (command) =>
      command.replace("<ACCESS_TOKEN>", lastToken(said)),
    );
    expect(asked).toContain('{"data":{"feed":{"edges":[');
  },
  LONG_MS,
);
