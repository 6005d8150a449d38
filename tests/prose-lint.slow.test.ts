import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { setting } from "../src/config/setting.ts";
import { lintNamed, lintProse } from "../scripts/prose/prose.ts";
import {
  alertTexts,
  commentTexts,
  graphqlTexts,
  helpTexts,
  type Kind,
  KINDS,
  literalTexts,
  messageTexts,
  metricTexts,
  openApiTexts,
  pageText,
  refusalTexts,
  seedTexts,
  settingTexts,
  type Text,
  titleTexts,
  wideComments,
} from "../scripts/prose/sources.ts";

const folder = mkdtempSync(join(tmpdir(), "prose-"));
afterAll(() => rmSync(folder, { recursive: true }));

function messagesOf(language: "en" | "de" | "es", toml: string): Text[] {
  const locales = mkdtempSync(join(folder, "locales-"));
  mkdirSync(join(locales, language));
  writeFileSync(join(locales, language, "feed.toml"), toml);
  return messageTexts(locales, language);
}

const kindOf = (texts: readonly Text[], sources = texts.map(({ place }) => place)): Kind => ({
  read: () => texts,
  sources: () => sources,
});

const SCHEMA = `
"""The feed."""
type Query {
  """What is hidden of yours."""
  feed("Whoever reads it." reader: String): Feed
}
enum Feed {
  """It is made anew."""
  NEW
}`;

const ALERTS = `
groups:
  - name: guildhall
    rules:
      - alert: GuildhallDown
        annotations:
          summary: "{{ $labels.instance }}: somebody has to look"
          runbook_url: https://docs.example/somebody
`;

const SOURCE = `
import { log } from "what is told/log";
log.error({ err }, "the author is told");
export const check = () => warning("disk", \`the disk of \${name} is \` + "full, and somebody has to make room");
throw new BackupRefused(\`\${file} is not as it was\`);
if (reason === "whoever is told of it") query(sql\`SELECT somebody FROM them\`);
export const Page = () => <>Ask <b>somebody</b> who is an admin.</>;
`;

const COMMENTED = `
/** What somebody sees. */
export const view = { url: "https://somebody.example" };

/**
 *   somebody --is told
 *
 * A view is a page of a member, and the page is shown to anyone else who can read
 * the community, in the language that they chose, or else in the language of the community itself.
 */
export const page = () => {
  // The author
  // is told.
  const pattern = /\\/\\* somebody \\*\\//;
  return <p>{/* Whoever reads this. */} Ask // somebody. {view.url}</p>;
};
// @ts-expect-error: somebody
`;

const TITLED = `
_describe("whoever asks", () => {
  _test("docs/contract.md#4.1: what is refused", () => expect(said("somebody")).toBe(true));
  _test("rejects an edit after an hour", () => {});
  _test.each([1])(
    \`\${name} tells of %d posts\`,
    () => {},
  );
});
`.replaceAll("_", "");

const README = `# What it is

A server, by which [the author
is told](https://example.org/told).

| Setting | Meaning |
| ------- | ------- |
| \`NAME\` | who is told |

\`\`\`sh
echo the author is told
\`\`\`

The \`the author is told\` flag stays.

![What a member sees](feed.png)
`;

const LONG_DE = `"${"Diese Seite zeigt dir viele Wörter und ".repeat(6)}ein Ende."`;

/** A bad sentence in each kind of file, and the places that the lint must report. */
const PLANTED: Readonly<Record<string, [texts: Text[], places: string[]]>> = {
  README: [[pageText("README.md", README)], ["README.md:1", "README.md:3", "README.md:8", "README.md:16"]],
  "a page of docs": [
    [pageText("docs/graphql.md", "# Backups\n\n- First.\n- Send the mail mail address.\n")],
    ["docs/graphql.md:4"],
  ],
  "a page that cites tests": [
    [
      pageText(
        "docs/threats.md",
        `# Faults\n\n- Tests: \`tests/a.test.ts\` “${"what ".repeat(30)}\n  somebody”, “no mails”.\n- “No mails.”\n`,
      ),
    ],
    ["docs/threats.md:5"],
  ],
  "the guide to our voice": [
    [
      pageText(
        "CONTRIBUTING.md",
        "# A\n\n~~What it said~~ → History.\\\n~~Somebody\nmends it.~~ → Fix it.\nSomebody.\n",
      ),
    ],
    ["CONTRIBUTING.md:6"],
  ],
  "a comment": [
    commentTexts("src/app/new.tsx", COMMENTED),
    ["src/app/new.tsx:2", "src/app/new.tsx:5", "src/app/new.tsx:12", "src/app/new.tsx:15"],
  ],
  "a comment of a stylesheet": [
    commentTexts("src/web/new.css", "a {\n  /* Whoever reads it. */\n  color: red;\n}\n"),
    ["src/web/new.css:2"],
  ],
  "a comment of a script": [
    commentTexts("deploy/new.sh", "#!/bin/sh\n# Somebody\n# runs it.\necho '# Whoever'\n"),
    ["deploy/new.sh:2"],
  ],
  "the title of a test": [
    titleTexts("tests/new.test.ts", TITLED),
    ["tests/new.test.ts:2", "tests/new.test.ts:3", "tests/new.test.ts:5"],
  ],
  "an English message": [
    messagesOf(
      "en",
      'a = "{count, plural, one {1 post of theirs} other {# posts}}"\n[b]\nc = "What it has said"\n',
    ),
    ["locales/en/feed.toml: a", "locales/en/feed.toml: b.c"],
  ],
  "a German message": [
    messagesOf(
      "de",
      `a = "Wir sehen alle alle Beiträge."\nb = ${LONG_DE}\nc = "Die Mailadresse von <author/>"\n`,
    ),
    ["locales/de/feed.toml: a", "locales/de/feed.toml: b", "locales/de/feed.toml: c"],
  ],
  "a Spanish message": [messagesOf("es", 'a = "Tu email"\nb = "Tu correo"\n'), ["locales/es/feed.toml: a"]],
  "a refusal": [
    refusalTexts([{ code: "tag_unknown", message: "Whoever sent it is wrong.", remedy: "Ask somebody." }]),
    ["refusal tag_unknown: message", "refusal tag_unknown: remedy"],
  ],
  OpenAPI: [
    openApiTexts({
      info: { description: "The guide is a page: whoever." },
      paths: { "/feed": { get: { summary: "What is new", parameters: [{ description: "Somebody." }] } } },
      components: { schemas: { Post: { description: "A post.", example: { title: "Somebody" } } } },
    }),
    ["OpenAPI GET /v1/feed: summary", "OpenAPI GET /v1/feed parameters.0: description"],
  ],
  GraphQL: [
    graphqlTexts(SCHEMA),
    [
      "GraphQL Query.feed: description",
      "GraphQL Query.feed.reader: description",
      "GraphQL Feed.NEW: description",
    ],
  ],
  "--help": [
    helpTexts(
      new Command("guildhall")
        .description("Serve a community.")
        .addCommand(
          new Command("backup")
            .description("back it up")
            .argument("[file]", "where it goes")
            .option("--key <file>", "whoever has it can read")
            .addHelpText("after", "\nNobody is told.\n\nExamples:\n  guildhall backup /srv   and mend it"),
        ),
    ),
    ["guildhall backup --help: <file>", "guildhall backup --help: --key <file>", "guildhall backup --help"],
  ],
  "a setting": [
    settingTexts([
      setting({
        name: "NAME",
        type: "text",
        parse: String,
        example: "A",
        meaning: "what the community is called",
      }),
    ]),
    ["setting GUILDHALL_NAME:"],
  ],
  "a metric": [metricTexts({ guildhall_posts: { help: "Posts of theirs." } }), ["metric guildhall_posts:"]],
  "an alert": [alertTexts("deploy/rules.yml", ALERTS), ["deploy/rules.yml: GuildhallDown: summary"]],
  "a log message, a finding, an error": [
    literalTexts("src/app/new.tsx", SOURCE),
    ["src/app/new.tsx:3", "src/app/new.tsx:4", "src/app/new.tsx:5", "src/app/new.tsx:7"],
  ],
  "the demo": [
    seedTexts("data/seed/posts.json", {
      win: ["We {shipped|have it rest}.", "Whoever ships, wins."],
      snippet: [{ code: "made anew" }],
    }),
    ["data/seed/posts.json: win.0"],
  ],
};

for (const [name, [texts, places]] of Object.entries(PLANTED)) {
  test(`fails at a bad sentence in ${name}, and names its file and line`, async () => {
    const { output, isClean } = await lintProse({ [name]: kindOf(texts) });

    const named = output
      .split("\n")
      .slice(0, -1)
      .flatMap((line) => line.split(/: (?:“|\d+ words|Incorrect)/, 1));
    expect(isClean).toBe(false);
    expect([...new Set(named)].sort()).toEqual(places.toSorted());
  });
}

test("fails at a comment that is wider than 110 columns", async () => {
  const wide = `  // ${"word ".repeat(22)}\n  /**\n   * ${"word ".repeat(22)}\n   */\n  // https://${"x".repeat(120)}\n`;
  const narrow = `  // ${"word ".repeat(21)}\n`;
  const faults = (source: string) => wideComments("src/new.ts", source);
  const kind: Kind = { ...kindOf([pageText("README.md", "Fine.\n")]), faults: () => faults(wide) };

  const { output, isClean } = await lintProse({ comments: kind });

  expect(faults(narrow)).toEqual([]);
  expect(isClean).toBe(false);
  expect(output.split("\n").slice(0, -1)).toEqual([
    "src/new.ts:1: wrap comments at 110 columns",
    "src/new.ts:3: wrap comments at 110 columns",
  ]);
});

test("says what is wrong, what to write, and in which sentence", async () => {
  const page = pageText("README.md", "Good. The `host` is told at once. Fine.\n\nWrite to a mail address.\n");
  const { output } = await lintProse({ pages: kindOf([page], ["README.md"]) });

  expect(output).toBe(
    [
      "README.md:1: “is told”: write is notified, gets, sees, learns. In: The `host` is told at once.",
      "README.md:3: Incorrect term: “mail address”, use “email address” instead. In: Write to a mail address.",
      "Prose: 2 faults in 1 texts.",
    ].join("\n"),
  );
});

test("reads text that Markdown parses as code, and the text after it", async () => {
  for (const opening of ["```", "~~~", "<pre>", "<!--", "<div>", "[a]: "]) {
    const texts = [`${opening} Ask somebody.`, "Somebody."].map((text): Text => ({
      place: text,
      text,
      voice: "en",
    }));
    const { output } = await lintProse({ refusals: kindOf(texts) });
    expect([opening, output]).toEqual([opening, expect.stringContaining("Prose: 2 faults in 2 texts.")]);
  }
});

test("reports a repeated sentence once, with all its locations", async () => {
  const texts = ["a", "b", "c"].map((location): Text => ({
    place: location,
    text: "Ask somebody.",
    voice: "en",
  }));
  const { output } = await lintProse({ refusals: kindOf(texts) });
  expect(output.split("\n")[0]).toStartWith("a, and b, and c: “somebody”");
});

test("passes good prose, and fails if a kind of text or a source was not read", async () => {
  const good = pageText("README.md", "Guildhall serves a community.\n");

  expect(await lintProse({ pages: kindOf([good], ["README.md"]) })).toMatchObject({ isClean: true });
  expect(await lintProse({ pages: kindOf([]) })).toMatchObject({ isClean: false });
  const missing = await lintProse({ pages: kindOf([good], ["README.md", "lost.md"]) });
  expect(missing.isClean).toBe(false);
  expect(missing.output).toContain("lost.md was not read");
});

test("reads every source of this tree", () => {
  for (const [name, kind] of Object.entries(KINDS)) {
    const locations = kind.read().map(({ place }) => place);
    if (name === "program")
      for (const path of [
        "src/core/base/db/migrate.ts",
        "src/core/services/checkup/derived-store.ts",
        "scripts/dashboard.ts",
      ])
        expect(locations.some((location) => location.startsWith(`${path}:`))).toBe(true);
    const unread = kind
      .sources()
      .filter((source) => !locations.some((location) => location.startsWith(source)));
    expect({ name, unread, isRead: locations.length > 0 }).toEqual({ name, unread: [], isRead: true });
  }
  const pages = KINDS.pages?.sources() ?? [];
  for (const page of [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "bench/README.md",
    "docs/adr/0001-bun-and-one-binary.md",
    "docs/contract.md",
    "docs/threats.md",
    "docs/operating.md",
    "docs/api.md",
    ".github/pull_request_template.md",
    "locales/README.md",
    "src/rest/guide.md",
  ])
    expect(pages).toContain(page);
});

test("lints a subset of the texts, as CONTRIBUTING.md shows", async () => {
  const shown = (await Bun.file(join(import.meta.dir, "../CONTRIBUTING.md")).text()).matchAll(
    /^bun scripts\/prose\/prose\.ts (.+)$/gm,
  );
  const names = [...shown].flatMap(([, names = ""]) =>
    [...names.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? ""),
  );
  expect(names).toContain("refusals");
  expect(await lintNamed(names)).toMatchObject({ isClean: true });
  expect(() => lintNamed(["src/nowhere"])).toThrow("There is no text of src/nowhere.");
  // It reads all texts four times, which takes more than the default of 5 s on a busy machine.
}, 30_000);
