// docs/contract.md#10.1: shells complete the commands and options that the program has.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { programOf } from "../src/cli/program.ts";
import { command } from "./command.ts";
import { createTestWorld } from "./support.ts";

const END = "---";

/**
 * For each shell: the command that prints its completions for some command lines. The last word of each line
 * is incomplete.
 */
const ASKING: Readonly<Record<string, (script: string, lines: readonly (readonly string[])[]) => string[]>> =
  {
    bash: (script, lines) => [
      "bash",
      "--norc",
      "-c",
      [
        `. ${script}`,
        ...lines.map(
          (args) =>
            `COMP_WORDS=(guildhall ${args.join(" ")} ""); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMPREPLY=(); _guildhall; printf '%s\\n' "\${COMPREPLY[@]}" ${END}`,
        ),
      ].join("\n"),
    ],
    // Without a terminal, zsh lacks the functions that show completions.
    zsh: (script, lines) => [
      "zsh",
      "-fc",
      [
        "compdef() {}",
        'compadd() { shift; print -l -- "$@" }',
        "_files() { print FILES }",
        '_describe() { print -l -- "${entries[@]%%:*}" }',
        `. ${script}`,
        ...lines.map(
          (args) => `words=(guildhall ${args.join(" ")} ""); CURRENT=$#words; _guildhall; print -l -- ${END}`,
        ),
      ].join("\n"),
    ],
    // fish completes options only after the first `-`.
    fish: (script, lines) => [
      "fish",
      "--no-config",
      "-c",
      [
        `source ${script}`,
        ...lines.map(
          (args) =>
            `complete -C "guildhall ${args.join(" ")} "; ${args.at(-1)?.startsWith("--") ? "" : `complete -C "guildhall ${args.join(" ")} --"`}; echo ${END}`,
        ),
      ].join("\n"),
    ],
  };

function levelsOf(each: Command, at: readonly string[] = []): [at: readonly string[], words: string[]][] {
  const args = [
    ...each.commands.map((item) => item.name()),
    ...each.options.map(({ long }) => long ?? ""),
    "--help",
  ];
  return [[at, args], ...each.commands.flatMap((item) => levelsOf(item, [...at, item.name()]))];
}

/** Command lines. For each line: a completion that must be offered, and a completion that must not be. */
const VALUES: readonly (readonly [words: readonly string[], has: string | undefined, hasNot?: string])[] = [
  [["completion"], "fish"],
  [["token", "create", "ada", "--tier"], "enterprise"],
  [["token", "create", "--name"], undefined, "--scope"],
  // `list` is an argument here, so the completions are those of `builder show`.
  [["builder", "show", "list"], "--json"],
];

for (const [shell, asking] of Object.entries(ASKING))
  test(`${shell} completes every command and option of the program, and values from short lists`, async () => {
    if (!Bun.which(shell)) return console.log(`${shell} is not here: its script was not run`);
    using world = createTestWorld();
    const result = await command(world, ["completion", shell]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const folder = mkdtempSync(join(tmpdir(), "guildhall-completion-"));
    try {
      const script = join(folder, "script");
      writeFileSync(script, result.stdout);
      const levels = levelsOf(await programOf({ variables: {}, settings: "" }));
      const lines = [...levels.map(([at]) => at), ...VALUES.map(([words]) => words)];
      const { stdout, stderr } = Bun.spawnSync(asking(script, lines));
      expect(stderr.toString()).toBe("");
      const completed = stdout
        .toString()
        .split(`${END}\n`)
        .slice(0, -1)
        .map((text) => text.split("\n").map((line) => line.split("\t")[0] ?? ""));
      expect(completed).toHaveLength(lines.length);

      const missing = levels.flatMap(([at, words], index) =>
        words.filter((word) => !completed[index]?.includes(word)).map((word) => [...at, word].join(" ")),
      );
      expect(missing).toEqual([]);
      for (const [index, [words, has, hasNot]] of VALUES.entries()) {
        const found = completed[levels.length + index];
        if (has !== undefined) expect([words, found]).toEqual([words, expect.arrayContaining([has])]);
        if (hasNot !== undefined) expect(found).not.toContain(hasNot);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
