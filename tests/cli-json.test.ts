// docs/contract.md#12.13.1: every command that lists prints an array of objects with --json.
import { expect, test } from "bun:test";
import type { Command } from "commander";
import { createWorkspace } from "../src/core/delegation/workspaces/workspaces.ts";
import { importPerson } from "../src/core/services/imported/imported.ts";
import { OPERATOR } from "../src/core/identity/access/caller.ts";
import { programOf } from "../src/cli/program.ts";
import { command } from "./command.ts";
import { createTestWorld, createMember, type TestWorld } from "./support.ts";

/** Commands that list, but are not named `list`. */
const LISTING = ["builder claims"];

function listsOf(program: Command, before: readonly string[] = []): [string, Command][] {
  return program.commands.flatMap((each) => {
    const name = [...before, each.name()];
    const isList = each.name() === "list" || LISTING.includes(name.join(" "));
    return isList ? [[name.join(" "), each] as [string, Command]] : listsOf(each, name);
  });
}

test("every list command accepts --json", async () => {
  const lists = listsOf(await programOf({ variables: {}, settings: "" }));

  expect(
    lists.filter(([, each]) => !each.options.some(({ long }) => long === "--json")).map(([name]) => name),
  ).toEqual([]);
  expect(lists.length).toBeGreaterThan(9);
});

async function json(world: TestWorld, ...args: string[]): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await command(world, [...args, "--json"], {
    GUILDHALL_ORIGIN: "https://guild.test",
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

test("prints tokens, apps, workspaces, members and unclaimed accounts as arrays of objects with --json", async () => {
  using world = createTestWorld();
  const { core } = world;
  createMember(core, "ada");
  const id = createWorkspace(core, OPERATOR, "ada", { name: "Tools\twith a tab" });
  await command(world, [
    "app",
    "create",
    "ada",
    "Reader",
    "--redirect",
    "https://a.example/cb",
    "--workspace",
    id,
  ]);
  core.db.transact(() =>
    importPerson(core, OPERATOR, "forem.example", { username: "Bo", name: "Bo", bio: "" }),
  );

  expect(await json(world, "token", "list", "ada")).toMatchObject([
    {
      id: expect.stringMatching(/^tok_/),
      state: "live",
      name: "test",
      scopes: expect.any(Array),
      lastUsedAt: null,
    },
  ]);
  expect(await json(world, "app", "list")).toMatchObject([
    {
      id: expect.stringMatching(/^app_/),
      kind: "confidential",
      state: "live",
      workspace: "Tools\twith a tab",
      name: "Reader",
      redirectUris: ["https://a.example/cb"],
    },
  ]);
  expect(await json(world, "workspace", "list")).toEqual([
    { id, kind: "shared", members: 1, name: "Tools\twith a tab" },
  ]);
  expect(await json(world, "workspace", "list", "ada")).toMatchObject([
    { kind: "personal" },
    { kind: "shared" },
  ]);
  expect(await json(world, "workspace", "member", "list", id)).toEqual([
    { username: "ada", role: "owner", name: "Ada" },
  ]);
  expect(await json(world, "builder", "claims")).toEqual([{ username: "bo", origin: "forem.example/Bo" }]);
  expect(await json(world, "builder", "claims", "--links")).toEqual([
    {
      username: "bo",
      origin: "forem.example/Bo",
      link: expect.stringMatching(/^https:\/\/guild\.test\/recover/),
    },
  ]);
  // A tab in the workspace name must not start a new column.
  expect((await command(world, ["workspace", "list"])).stdout).toBe(`${id}\tshared\t1\tTools with a tab\n`);
});
