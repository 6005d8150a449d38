import { expect, test } from "bun:test";
import { kindOf, type PostKind, titled } from "../../src/core/community/feed/kind.ts";

// docs/contract.md#9.20.1
test("derives the kind of a post from its tags, then its first line, then its length", () => {
  const line = "w".repeat(140);
  const rows: [PostKind, string, string[]?, string[]?][] = [
    ["launch", "# Loom 1.0", ["rust", "release"]],
    ["launch", "Does it weave?", ["show"]],
    ["launch", "Loom", ["launch", "ask"]],
    ["question", "Loom", ["ask"]],
    ["question", "Loom", ["question"]],
    ["question", "# How do you **weave**?\n\nI have tried."],
    ["question", "---\n\nAnybody there?\nI wait."],
    ["question", "他们在哪里？"],
    ["question", "أين النول؟"],
    ["question", `Who said “How?”`],
    // Only the first line decides. A question mark on a later line does not make the post a `question`.
    ["story", "We wove for a year.\nWas it worth it?"],
    ["aside", "Coffee is a dependency."],
    ["aside", "  Coffee, `pinned`.\n"],
    ["aside", line],
    // Lengths are in grapheme clusters.
    ["aside", "🧵".repeat(140)],
    ["story", `${line}w`],
    ["story", "Coffee.\n\nTea."],
    ["story", "# Coffee"],
    ["story", "- coffee"],
    ["story", "> coffee"],
    ["story", "1. coffee"],
    ["story", "![a loom](https://example.com/a.png)"],
    ["story", "Coffee.", [], ["https://example.com/a.png"]],
    // No other kinds: similar tags, and lines that only begin like another kind.
    ["aside", "Loom", ["releases", "showcase", "asked"]],
    ["aside", "What a loom?!"],
    ["aside", "#coffee"],
  ];
  for (const [kind, text, tags = [], media = []] of rows)
    expect([text, tags, kindOf({ text, tags, media })]).toEqual([text, tags, kind]);
});

test("classifies the longest possible text quickly, and finds its title", () => {
  const blank = ["\n".repeat(1999), "\r\n".repeat(999), " \r\n".repeat(666)].map((lines) => `${lines}x`);
  for (const text of ["?".repeat(2000), "#".repeat(2000), `${'"'.repeat(1999)}x`, ...blank]) {
    // CPU time of this thread, so that a busy machine does not fail the test.
    const before = process.cpuUsage();
    for (let i = 0; i < 100; i++) titled({ text }, kindOf({ text, tags: [], media: [] }));
    titled({ text }, "question");
    expect(process.cpuUsage(before).user / 1000 / 100).toBeLessThan(20);
  }
});
