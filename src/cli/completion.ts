import { Argument, type Command, type Option } from "commander";

const HELP = `
The Debian package installs the bash script. For other set-ups:

  source <(guildhall completion bash)                                     # in ~/.bashrc
  guildhall completion zsh > ~/.zsh/completions/_guildhall                # a folder of $fpath
  guildhall completion fish > ~/.config/fish/completions/guildhall.fish`;

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
export type Shell = keyof typeof SHELLS;

export function addCompletionCommand(program: Command): void {
  program
    .command("completion")
    .description("Print a completion script for a shell")
    .addArgument(new Argument("<shell>", "Shell to print the script for").choices(Object.keys(SHELLS)))
    .addHelpText("after", HELP)
    .action((shell: Shell) => void process.stdout.write(completionFor(shell, program)));
}

/** Returns a script that completes the program's commands in a shell. */
export function completionFor(shell: Shell, program: Command): string {
  return SHELLS[shell](levelsOf(program));
}

/** Possible words after one command. */
interface Level {
  /** The command, such as ` builder create`; empty for the program itself. */
  at: string;
  /** Subcommands and options with their descriptions. */
  words: readonly { word: string; description: string }[];
  /** Options with a value. `choices` lists the values if there are only a few. */
  values: readonly { option: string; choices: readonly string[] }[];
  choices: readonly string[];
  takesFile: boolean;
}

function levelsOf(command: Command, at = ""): Level[] {
  const options: Option[] = [...command.createHelp().visibleOptions(command)];
  const own = {
    at,
    words: [
      ...command.commands.map((each) => ({ word: each.name(), description: each.description() })),
      ...options.map(({ long, description }) => ({ word: long ?? "", description })),
    ],
    values: options
      .filter(({ required, optional }) => required || optional)
      .map(({ long, argChoices = [] }) => ({ option: long ?? "", choices: argChoices })),
    choices: command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    takesFile: command.registeredArguments.some((argument) => /^(?:file|dir)$/.test(argument.name())),
  };
  return [own, ...command.commands.flatMap((each) => levelsOf(each, `${at} ${each.name()}`))];
}

/** Returns `case` patterns for the words that lead from one level to the next. */
function steps(levels: readonly Level[]): string {
  return levels
    .filter(({ at }) => at !== "")
    .map(({ at }) => `"${at}"`)
    .join("|");
}

const completionsOf = ({ words, choices }: Level): string =>
  [...choices, ...words.map(({ word }) => word)].join(" ");

/** Completes values with a fixed list. Other values are left to the shell, which completes files. */
function bashScript(levels: readonly Level[]): string {
  const values = levels.flatMap(({ at, values }) =>
    values.map(
      ({ option, choices }) =>
        `    "${at} ${option}") ${choices.length === 0 ? "return" : `COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$cur")); return`} ;;`,
    ),
  );
  const words = levels.map((level) => `    "${level.at}") words="${completionsOf(level)}" ;;`);
  return `# bash completion for guildhall, printed by \`guildhall completion bash\`
_guildhall() {
  local cur=\${COMP_WORDS[COMP_CWORD]} at= words= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
    ${steps(levels)}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
  case "$at \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join("\n")}
  esac
  case "$at" in
${words.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _guildhall guildhall
`;
}

function zshScript(levels: readonly Level[]): string {
  const values = levels.flatMap(({ at, values }) =>
    values.map(
      ({ option, choices }) =>
        `    "${at} ${option}") ${choices.length === 0 ? "_files" : `compadd -- ${choices.join(" ")}`}; return ;;`,
    ),
  );
  const words = levels.map(({ at, words, choices, takesFile }) => {
    const entries = words.map(({ word, description }) => quoted(`${word}:${description}`)).join(" ");
    const more = [
      ...(choices.length === 0 ? [] : [`compadd -- ${choices.join(" ")}`]),
      ...(takesFile ? ["_files"] : []),
    ];
    return `    "${at}") entries=(${entries}); ${more.map((each) => `${each}; `).join("")};;`;
  });
  return `#compdef guildhall
# zsh completion for guildhall, printed by \`guildhall completion zsh\`
_guildhall() {
  local at= i
  local -a entries
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
    ${steps(levels)}) at="$at \${words[i]}" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${values.join("\n")}
  esac
  case "$at" in
${words.join("\n")}
  esac
  _describe guildhall entries
}
if [ "$funcstack[1]" = _guildhall ]; then _guildhall "$@"; else compdef _guildhall guildhall; fi
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fishScript(levels: readonly Level[]): string {
  const lines = levels.flatMap(({ at, words, values, choices, takesFile }) => {
    const here = `complete -c guildhall -n '__guildhall_at "${at}"'`;
    return [
      ...words.map(({ word, description }) => {
        const help = `-d ${fishQuoted(description)}`;
        if (!word.startsWith("--")) return `${here} -a ${word} ${help}`;
        const value = values.find(({ option }) => option === word);
        const takes =
          value === undefined
            ? ""
            : value.choices.length === 0
              ? " -rF"
              : ` -rfa ${fishQuoted(value.choices.join(" "))}`;
        return `${here} -l ${word.slice(2)}${takes} ${help}`;
      }),
      ...(choices.length === 0 ? [] : [`${here} -a ${fishQuoted(choices.join(" "))}`]),
      ...(takesFile ? [`${here} -F`] : []),
    ];
  });
  return `# fish completion for guildhall, printed by \`guildhall completion fish\`
function __guildhall_at
    set -l at ""
    for word in (commandline -opc)[2..]
        switch "$at $word"
            case ${steps(levels).replaceAll("|", " ")}
                set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
complete -c guildhall -f
${lines.join("\n")}
`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
