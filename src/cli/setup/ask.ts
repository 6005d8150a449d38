import { createInterface } from "node:readline";
import { ConfigError } from "../../config/config.ts";
import { DataRefused } from "../../app/data-folder.ts";
import { UsageError } from "../options.ts";

/** Something to be known. */
export interface Question<Value> {
  /** The option that answers it, such as `--origin`. */
  flag: string;
  /** What that option says. */
  given: string | undefined;
  words: string;
  /** What an empty answer means, and what holds with --yes. */
  usual?: string | undefined;
  /** Throws UsageError or ConfigError, in words, for an answer that will not do. */
  read: (text: string) => Value;
}

/** Who answers: the command line first, then a person or nobody. */
export interface Prompter {
  answer<Value>(question: Question<Value>): Promise<Value>;
  /** Tells a person something. */
  print(words: string): void;
  close(): void;
}

/** Nobody is asked: what is neither given nor usual is missing. */
export function noPrompt(): Prompter {
  return {
    answer: async ({ flag, given, words, usual, read }) => {
      const text = given ?? usual;
      if (text === undefined) throw new UsageError(`${flag} is missing. ${words}`);
      return read(text);
    },
    print() {},
    close() {},
  };
}

/** A person at a terminal, who is told at once what will not do, and asked again. */
export function terminalPrompt(): Prompter {
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  /** Typed ahead of the questions, as whoever pastes does. */
  const ahead: string[] = [];
  let hear: (() => void) | undefined;
  let isLeft = false;
  terminal.on("line", (line) => {
    ahead.push(line);
    hear?.();
  });
  // Ctrl-C, and the end of the input.
  terminal.on("SIGINT", () => terminal.close());
  terminal.on("close", () => {
    isLeft = true;
    hear?.();
  });
  return {
    async answer({ given, words, usual, read }) {
      if (given !== undefined) return read(given);
      for (;;) {
        const text = (await ask(`${words}${usual === undefined ? "" : ` [${usual}]`} `)).trim() || usual;
        if (text === undefined) {
          process.stderr.write("  This question has no default answer. Type an answer.\n");
          continue;
        }
        try {
          return read(text);
        } catch (error) {
          if (!(error instanceof UsageError || error instanceof ConfigError)) throw error;
          process.stderr.write(`  ${error.message}\n`);
        }
      }
    },
    print: (words) => void process.stderr.write(`${words}\n`),
    close: () => terminal.close(),
  };

  async function ask(words: string): Promise<string> {
    terminal.setPrompt(words);
    if (!isLeft) terminal.prompt();
    while (ahead.length === 0 && !isLeft) await new Promise<void>((resolve) => (hear = resolve));
    const line = ahead.shift();
    if (line !== undefined) return line;
    process.stderr.write("\n");
    throw new DataRefused("Set-up was cancelled. Nothing was written.");
  }
}

/** A question that is answered by yes or no. */
export function yesOrNo(text: string): boolean {
  if (/^(?:y|yes)$/i.test(text)) return true;
  if (/^(?:n|no)$/i.test(text)) return false;
  throw new UsageError("Answer yes or no.");
}
