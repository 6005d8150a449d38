import type { Fault } from "./fault.ts";

/** What comes in from elsewhere, and what a member takes away. */
export const MOVING: readonly Fault[] = [
  {
    file: "core/across/arrivals/arrivals.ts",
    text: "return post !== undefined && post.hiddenAt === null && post.parentId === null;",
    fault: "return true;",
    tests: ["portable/forem"],
    why: "an import answers posts that were deleted here",
  },
  {
    file: "core/across/arrivals/arrivals.ts",
    text: 'if (createdAt > core.clock.now()) return "its date is in the future";',
    fault: "",
    tests: ["portable/forem-hostile"],
    why: "an import puts posts before all others for years",
  },
  {
    file: "core/across/arrivals/arrivals.ts",
    text: "if (!isTaken(name) && isFreeUsername(core, name)) return name;",
    fault: "if (!isTaken(name)) return name;",
    tests: ["portable/forem"],
    why: "an import ends at the first name that somebody has here",
  },
  {
    file: "core/across/deletion/deletion.ts",
    text: "forgetOrigin(core, builder.id);",
    fault: "",
    tests: ["portable/forem"],
    why: "a deleted account's name elsewhere stays",
  },
  {
    file: "portable/polite.ts",
    text: "url = next.href;",
    fault: "url = from;",
    tests: ["portable/forem-hostile"],
    named: "asked slowly",
    why: "a redirect is not followed, or not looked at",
  },
  {
    file: "portable/forem-shape.ts",
    text: '"user" in value ? personOf(value["user"]) : author,',
    fault: 'personOf(value["user"]) ?? author,',
    tests: ["portable/forem-hostile"],
    why: "what nobody wrote is put into the mouth of whoever exported it",
  },
  {
    file: "core/across/portable/own.ts",
    text: "requireFresh(core, caller);",
    fault: "",
    tests: ["web/own-data", "web/proof"],
    why: "whoever finds a session open leaves with all messages",
  },
  {
    file: "core/across/portable/own.ts",
    text: "partsOf(core, { at, builderId });",
    fault: "partsOf(core, { at });",
    tests: ["web/own-data"],
    why: "a member downloads everybody",
  },
];
