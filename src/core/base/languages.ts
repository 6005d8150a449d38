/** Kind of a token. Pages colour the token by the class of this name. */
export type Kind = keyof typeof KINDS;
const KINDS = {
  k: "keyword",
  s: "text",
  n: "value",
  c: "comment",
  t: "type",
  f: "call",
  a: "name",
  i: "new",
  d: "gone",
};

/**
 * How to highlight a language. `pieces` are token patterns; the first match wins. No pattern backtracks, so
 * hostile code takes no longer than other code (docs/adr/0030-markdown.md).
 */
interface HighlightRules {
  pieces: readonly (readonly [Kind, string])[];
  /** Keywords of the language. `constants` are the keywords that are constants, such as `true`. */
  keywords?: ReadonlySet<string>;
  constants?: ReadonlySet<string>;
  /** Whether keywords ignore case, as in SQL. */
  isCaseless?: true;
  /** Character after a word or string that makes the word or string a name: `:` in YAML, `=` in TOML. */
  names?: string;
}

const number = ["n", String.raw`(?<![\w$])\d[\w.]*`] as const;
const slashes = ["c", String.raw`\/\/[^\n]*|\/\*[^]*?(?:\*\/|(?![^]))`] as const;
// `$#` in a shell and an anchor in a URL do not start a comment.
const hash = ["c", String.raw`(?<![^\s;(])#[^\n]*`] as const;
const dashes = ["c", String.raw`--[^\n]*|\/\*[^]*?(?:\*\/|(?![^]))`] as const;
const decorator = ["a", String.raw`@[A-Za-z_][\w.]*`] as const;
const flag = ["a", String.raw`(?<![^\s])--?[A-Za-z][\w-]*`] as const;
const variable = ["a", String.raw`\$(?:\w+|\{[^{}\n]*\}?|[?!#@*$])`] as const;

/** Builds the pattern of a string between two quotes `sign`. The string also ends at the end of its line. */
function quoted(sign: string): readonly ["s", string] {
  return ["s", `${sign}[^${sign}\\\\\\n]*(?:\\\\[^\\n]?[^${sign}\\\\\\n]*)*${sign}?`];
}

/** Builds the pattern of a multi-line string that ends at `mark` or at the end of the code. */
function multiLineString(mark: string): readonly ["s", string] {
  return ["s", `${mark}[^]*?(?:${mark}|(?![^]))`];
}

const template = ["s", "`[^`\\\\]*(?:\\\\[^]?[^`\\\\]*)*`?"] as const;
const [double, single] = [quoted('"'), quoted("'")];
/** A character literal. A lone apostrophe has another meaning in these languages. */
const letter = ["s", String.raw`'(?:\\[^'\n]{1,10}|[^'\\\n])'`] as const;

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}

const TRUTHS = setOf("true false null nil none None True False undefined NaN nullptr self this super");

const script: HighlightRules = {
  pieces: [slashes, template, double, single, number, decorator],
  keywords: setOf(
    `abstract as async await break case catch class const continue debugger declare default delete do else enum export
     extends finally for from function get if implements import in infer instanceof interface is keyof let namespace new of
     package private protected public readonly return satisfies set static switch throw try type typeof var void while with
     yield any boolean never number object string symbol unknown bigint`,
  ),
  constants: TRUTHS,
};

const compiled: HighlightRules = {
  pieces: [
    slashes,
    ["k", String.raw`^[ \t]*#[ \t]*[a-z]+`],
    multiLineString('"""'),
    double,
    letter,
    number,
    decorator,
  ],
  keywords: setOf(
    `abstract alignas alignof as asm async auto await base bool boolean break byte case catch char class companion const
     constexpr continue data decltype default delegate delete do double else enum event explicit export extends extern final
     finally fixed float for foreach friend fun func goto if implements import in inline inner int interface internal is lateinit
     let lock long mutable namespace native new noexcept object open operator out override package params private protected public readonly
     ref register reified return sealed short signed sizeof static strictfp string struct suspend switch synchronized template throw throws
     transient try typedef typeid typename union unsigned using val var virtual void volatile when where while yield guard extension protocol
     init deinit defer repeat inout some record permits uint size_t`,
  ),
  constants: TRUTHS,
};

const python: HighlightRules = {
  pieces: [hash, multiLineString('"""'), multiLineString("'''"), double, single, number, decorator],
  keywords: setOf(
    `and as assert async await break case class continue def del elif else except finally for from global if import in is lambda
     match nonlocal not or pass raise return try while with yield`,
  ),
  constants: TRUTHS,
};

const rust: HighlightRules = {
  pieces: [
    slashes,
    ["a", String.raw`#!?\[[^\]\n]*\]?`],
    double,
    letter,
    ["t", String.raw`'[a-z_]\w*`],
    number,
  ],
  keywords: setOf(
    `as async await box break const continue crate dyn else enum extern fn for if impl in let loop match mod move mut pub ref
     return static struct trait type union unsafe use where while bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64`,
  ),
  constants: TRUTHS,
};

const go: HighlightRules = {
  pieces: [slashes, template, double, letter, number],
  keywords: setOf(
    `break case chan const continue default defer else fallthrough for func go goto if import interface map package range return
     select struct switch type var any bool byte error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64`,
  ),
  constants: setOf("true false nil iota"),
};

const ruby: HighlightRules = {
  pieces: [
    hash,
    double,
    single,
    ["n", String.raw`(?<![:\w]):[A-Za-z_]\w*`],
    ["a", String.raw`@@?\w+`],
    variable,
    number,
  ],
  keywords: setOf(
    `alias and begin break case class def defined do else elsif end ensure for if in include loop module next not or private
     protected public raise redo rescue require retry return then undef unless until when while yield attr_accessor attr_reader`,
  ),
  constants: TRUTHS,
};

const php: HighlightRules = {
  pieces: [
    slashes,
    ["k", String.raw`<\?(?:php|=)?|\?>`],
    ["c", String.raw`#(?!\[)[^\n]*`],
    double,
    single,
    variable,
    number,
  ],
  keywords: setOf(
    `abstract and array as break callable case catch class clone const continue declare default do echo else elseif enum
     extends final finally fn for foreach function global if implements include instanceof interface match namespace new or print private
     protected public readonly require require_once return static switch throw trait try use var while yield int string bool float void`,
  ),
  constants: TRUTHS,
};

const shell: HighlightRules = {
  pieces: [hash, ["s", String.raw`'[^']*'?`], double, variable, flag, number],
  keywords: setOf(
    `if then elif else fi for while until do done case esac in function select return exit break continue export local readonly
     set unset shift source trap eval exec cd echo printf read sudo`,
  ),
  constants: setOf("true false"),
};

const sql: HighlightRules = {
  pieces: [dashes, double, ["s", String.raw`'[^']*(?:''[^']*)*'?`], ["a", String.raw`[:@$]\w+`], number],
  keywords: setOf(
    `add all alter and any as asc begin between by cascade case check column commit constraint create cross default delete desc
     distinct drop else end exists explain foreign from full group having if in index inner insert intersect into is join key left like limit
     not offset on or order outer over partition primary recursive references returning right rollback select set table then transaction trigger
     union unique update using values view virtual when where with without
     bigint blob boolean char date decimal double float integer int json jsonb numeric real serial smallint text time timestamp uuid varchar`,
  ),
  constants: setOf("null true false"),
  isCaseless: true,
};

const json: HighlightRules = { pieces: [slashes, double, number], constants: TRUTHS, names: ":" };
const yaml: HighlightRules = {
  pieces: [hash, double, single, ["a", String.raw`[&*][A-Za-z]\w*`], number],
  constants: setOf("true false null yes no on off"),
  names: ":",
};
const toml: HighlightRules = {
  pieces: [
    hash,
    ["t", String.raw`^[ \t]*\[[^\]\n]*\]?\]?`],
    multiLineString('"""'),
    multiLineString("'''"),
    double,
    single,
    number,
  ],
  constants: setOf("true false"),
  names: "=",
};
const ini: HighlightRules = { ...toml, pieces: [["c", String.raw`^[ \t]*[;#][^\n]*`], ...toml.pieces] };

const markup: HighlightRules = {
  pieces: [
    ["c", String.raw`<!--[^]*?(?:-->|(?![^]))`],
    ["k", String.raw`<[\/!?]?[A-Za-z][\w:.-]*|[\/?]?>`],
    ["s", String.raw`(?<==)(?:"[^"<>]*"?|'[^'<>]*'?)`],
    ["n", String.raw`&#?\w{1,32};`],
  ],
  names: "=",
};

const css: HighlightRules = {
  pieces: [
    ["c", String.raw`\/\*[^]*?(?:\*\/|(?![^]))`],
    double,
    single,
    ["k", String.raw`@[\w-]+|![a-z]+`],
    ["n", String.raw`#[\da-fA-F]{3,8}(?![\w-])|(?<![\w-])-?\.?\d[\w.%]*`],
    ["t", String.raw`[.#][A-Za-z_-][\w-]*`],
    ["a", String.raw`--[\w-]+`],
  ],
  names: ":",
};

const graphql: HighlightRules = {
  pieces: [hash, multiLineString('"""'), double, variable, decorator, number],
  keywords: setOf(
    "query mutation subscription fragment on type input interface union enum scalar directive extend schema implements repeatable",
  ),
  constants: setOf("true false null"),
};

const docker: HighlightRules = {
  pieces: [
    ["c", String.raw`^[ \t]*#[^\n]*`],
    ["k", String.raw`^[ \t]*[A-Z]{3,12}(?![^\s])`],
    double,
    single,
    variable,
    flag,
    number,
  ],
};

const diff: HighlightRules = {
  pieces: [
    ["t", String.raw`^(?:@@|diff |index |---|\+\+\+)[^\n]*`],
    ["i", String.raw`^\+[^\n]*`],
    ["d", String.raw`^-[^\n]*`],
  ],
};

/** Languages by their names in a fence. Pages use the first name. */
const NAMES: readonly (readonly [string, HighlightRules])[] = [
  ["javascript js jsx mjs cjs node", script],
  ["typescript ts tsx mts cts deno bun", script],
  ["json jsonc json5 jsonl", json],
  ["python py python3 pyi", python],
  ["rust rs", rust],
  ["go golang", go],
  ["c h", compiled],
  ["cpp c++ cc cxx hpp hh", compiled],
  ["csharp c# cs", compiled],
  ["java", compiled],
  ["kotlin kt kts", compiled],
  ["scala", compiled],
  ["dart", compiled],
  ["swift", compiled],
  ["zig", rust],
  ["ruby rb", ruby],
  ["php", php],
  ["shell sh bash zsh console shellsession terminal", shell],
  ["sql sqlite postgres postgresql pgsql mysql", sql],
  ["yaml yml", yaml],
  ["toml", toml],
  ["ini conf properties env dotenv systemd", ini],
  ["html htm vue svelte astro", markup],
  ["xml svg xhtml rss", markup],
  ["css scss less", css],
  ["graphql gql", graphql],
  ["dockerfile docker containerfile", docker],
  ["diff patch", diff],
];

/**
 * A language with its compiled pattern. Each token pattern is a separate group. Words match outside of all
 * groups.
 */
export interface Language extends HighlightRules {
  /** Name of the language on pages. */
  name: string;
  pattern: RegExp;
}

const BY_NAME: ReadonlyMap<string, Language> = new Map(
  NAMES.flatMap(([list, syntax]) => {
    const names = list.split(" ");
    // In languages without a minus operator, a hyphen is part of a word.
    const word = syntax.names === undefined ? String.raw`[A-Za-z_$][\w$]*` : String.raw`[A-Za-z_$][\w$-]*`;
    const pieces = syntax.pieces.map(([, source]) => `(${source})`);
    const pattern = new RegExp([...pieces, word].join("|"), "gm");
    return names.map((name) => [name, { ...syntax, name: names[0] ?? name, pattern }]);
  }),
);

/**
 * Returns the language that the first word of a fence's info string names, in any letter case. Undefined for
 * an unknown one.
 */
export function languageOf(info: string): Language | undefined {
  return BY_NAME.get(/^[\w+#]{1,20}(?![^\s,{:])/.exec(info)?.[0].toLowerCase() ?? "");
}
