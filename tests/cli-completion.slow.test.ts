// docs/contract.md#10.1: what a shell completes is what the program has.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { programOf } from "../src/cli/program.ts";
import { command } from "./command.ts";
import { makeWorld } from "./support.ts";

/** Lines that have a shell say what it completes behind some words, the last of which is begun. */
const ASKING: Readonly<Record<string, (script: string, words: readonly string[]) => string[]>> = {
  bash: (script, words) => [
    "bash",
    "--norc",
    "-c",
    `. ${script}; COMP_WORDS=(guildhall ${words.join(" ")} ""); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _guildhall; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  // Without a terminal zsh has none of the functions that show what was found.
  zsh: (script, words) => [
    "zsh",
    "-fc",
    `compdef() {}; compadd() { shift; print -l -- "$@" }; _files() { print FILES }
     _describe() { print -l -- "\${entries[@]%%:*}" }
     . ${script}; words=(guildhall ${words.join(" ")} ""); CURRENT=$#words; _guildhall`,
  ],
  // Options are completed where one is begun.
  fish: (script, words) => [
    "fish",
    "--no-config",
    "-c",
    `source ${script}; complete -C "guildhall ${words.join(" ")} "; ${words.at(-1)?.startsWith("--") ? "" : `complete -C "guildhall ${words.join(" ")} --"`}`,
  ],
};

function levelsOf(each: Command, at: readonly string[] = []): [at: readonly string[], words: string[]][] {
  const words = [
    ...each.commands.map((one) => one.name()),
    ...each.options.map(({ long }) => long ?? ""),
    "--help",
  ];
  return [[at, words], ...each.commands.flatMap((one) => levelsOf(one, [...at, one.name()]))];
}

for (const [shell, asking] of Object.entries(ASKING))
  test(`${shell} completes every command and option of the program, and values that are few`, async () => {
    if (!Bun.which(shell)) return console.log(`${shell} is not here: its script was not run`);
    using world = makeWorld();
    const said = await command(world, ["completion", shell]);
    expect(said).toMatchObject({ code: 0, stderr: "" });
    const folder = mkdtempSync(join(tmpdir(), "guildhall-completion-"));
    try {
      const script = join(folder, "script");
      writeFileSync(script, said.stdout);
      const completed = (words: readonly string[]): string[] => {
        const { stdout, stderr } = Bun.spawnSync(asking(script, words));
        expect(stderr.toString()).toBe("");
        return stdout
          .toString()
          .split("\n")
          .map((line) => line.split("\t")[0] ?? "");
      };
      const missing = levelsOf(programOf({ variables: {}, settings: "" })).flatMap(([at, words]) => {
        const found = completed(at);
        return words.filter((word) => !found.includes(word)).map((word) => [...at, word].join(" "));
      });

      expect(missing).toEqual([]);
      expect(completed(["completion"])).toContain("fish");
      expect(completed(["token", "create", "ada", "--tier"])).toContain("enterprise");
      expect(completed(["token", "create", "--name"])).not.toContain("--scope");
      // An argument is no command.
      expect(completed(["builder", "show", "list"])).toContain("--json");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
