// docs/contract.md#10.1 and docs/contract.md#12.3: docs/operating.md lists every command of the program.
import { expect, test } from "bun:test";
import type { Command } from "commander";
import { COMMANDS } from "../src/cli/commands.ts";
import { programOf } from "../src/cli/program.ts";

const PAGE = new URL("../docs/operating.md", import.meta.url);
/** Options of every command. The page lists them once, above the command lists. */
const OF_ALL = ["--data", "--settings", "--help", "--version"];

/** All commands with their options, for example `builder create`. */
function commandsOf(command: Command, before: readonly string[] = []): [name: string, options: string[]][] {
  return command.commands.flatMap((each) => {
    const name = [...before, each.name()];
    const options = each.options.map(({ long }) => long ?? "").filter((long) => !OF_ALL.includes(long));
    return each.commands.length > 0 ? commandsOf(each, name) : [[name.join(" "), options]];
  });
}

/** List items of the page's “Commands” section: the commands and options that each item names. */
function itemsOf(page: string): { names: string[]; options: string[] }[] {
  const [, section = ""] = /^## Commands\n([\s\S]*?)^## /m.exec(page) ?? [];
  return section
    .split(/^(?=- |#|[A-Z]|`)/m)
    .filter((item) => item.startsWith("- `guildhall "))
    .map((item) => {
      const [head = ""] = item.split(/`:\s/);
      const names = [...head.matchAll(/`guildhall ((?:[a-z]+ ?)+)/g)].map(([, name = ""]) => name.trim());
      return {
        names,
        options: (item.match(/--[a-z][a-z-]*/g) ?? []).filter((each) => !OF_ALL.includes(each)),
      };
    });
}

test("docs/operating.md lists exactly the commands and options of the program", async () => {
  const program = new Map(
    commandsOf(await programOf({ variables: {}, settings: "/etc/guildhall/settings.toml" })),
  );
  const items = itemsOf(await Bun.file(PAGE).text());
  expect([...new Set(items.flatMap(({ names }) => names))].sort()).toEqual([...program.keys()].sort());
  for (const { names, options } of items) {
    const known = names.flatMap((name) => program.get(name) ?? []);
    expect({ names, unknown: options.filter((each) => !known.includes(each)) }).toEqual({
      names,
      unknown: [],
    });
  }
  for (const [name, options] of program) {
    const found = items.filter(({ names }) => names.includes(name)).flatMap((item) => item.options);
    expect({ name, untold: options.filter((each) => !found.includes(each)) }).toEqual({
      name,
      untold: [],
    });
  }
});

test("the help of every command describes the command and its options", async () => {
  const help = (command: Command): string[] =>
    command.commands.flatMap((each) => [
      ...(each.description() === "" ? [`${each.name()} says nothing`] : []),
      ...each.options.filter(({ description }) => !description).map(({ long }) => `${each.name()} ${long}`),
      ...help(each),
    ]);
  expect(help(await programOf({ variables: {}, settings: "" }))).toEqual([]);
});

test("each command loads alone, under the name in the list of commands", async () => {
  const environment = { variables: {}, settings: "" };
  for (const { names } of COMMANDS)
    for (const name of names) {
      const program = await programOf(environment, name);
      expect(program.commands.map((each) => each.name())).toEqual([...names]);
    }
});
