import { createInterface } from "node:readline";
import { ConfigError } from "../../config/config.ts";
import { DataRefused } from "../../app/data-folder.ts";
import { UsageError } from "../options.ts";

export interface Question<Value> {
  /** The option that answers the question, such as `--origin`. */
  flag: string;
  /** The value of that option. */
  given: string | undefined;
  question: string;
  /** Used for an empty answer, and with --yes. */
  usual?: string | undefined;
  /** Parses an answer. Throws UsageError or ConfigError with a message for an invalid answer. */
  read: (text: string) => Value;
}

/** Source of answers: the command line first, then the terminal, if there is one. */
export interface Prompter {
  answer<Value>(question: Question<Value>): Promise<Value>;
  print(line: string): void;
  close(): void;
}

/** Answers from options and defaults only. A question without either is an error. */
export function noPrompt(): Prompter {
  return {
    answer: async ({ flag, given, question, usual, read }) => {
      const text = given ?? usual;
      if (text === undefined) throw new UsageError(`${flag} is missing. ${question}`);
      return read(text);
    },
    print() {},
    close() {},
  };
}

/** Asks on a terminal. An invalid answer is reported at once, and the question is asked again. */
export function terminalPrompt(): Prompter {
  const terminal = createInterface({ input: process.stdin, output: process.stderr, terminal: true });
  /** Lines typed before their question, for example by pasting. */
  const ahead: string[] = [];
  let resolveLine: (() => void) | undefined;
  let isLeft = false;
  terminal.on("line", (line) => {
    ahead.push(line);
    resolveLine?.();
  });
  // Ctrl-C or the end of the input.
  terminal.on("SIGINT", () => terminal.close());
  terminal.on("close", () => {
    isLeft = true;
    resolveLine?.();
  });
  return {
    async answer({ given, question, usual, read }) {
      if (given !== undefined) return read(given);
      for (;;) {
        const text = (await ask(`${question}${usual === undefined ? "" : ` [${usual}]`} `)).trim() || usual;
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
    print: (line) => void process.stderr.write(`${line}\n`),
    close: () => terminal.close(),
  };

  async function ask(question: string): Promise<string> {
    terminal.setPrompt(question);
    if (!isLeft) terminal.prompt();
    while (ahead.length === 0 && !isLeft) await new Promise<void>((resolve) => (resolveLine = resolve));
    const line = ahead.shift();
    if (line !== undefined) return line;
    process.stderr.write("\n");
    throw new DataRefused("Set-up was cancelled. Nothing was written.");
  }
}

export function yesOrNo(text: string): boolean {
  if (/^(?:y|yes)$/i.test(text)) return true;
  if (/^(?:n|no)$/i.test(text)) return false;
  throw new UsageError("Answer yes or no.");
}
