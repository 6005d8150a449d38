import type { Fault } from "./fault.ts";

/** Faults in the settings of a community, such as who may read and what new members may do. */
export const COMMUNITY: readonly Fault[] = [
  {
    file: "core/identity/community-settings/community-settings.ts",
    text: "isForMembers(core) ? { ...VISITOR, scopes: new Set() } : VISITOR",
    fault: "VISITOR",
    tests: ["core/community-settings", "web/members-only"],
    why: "a guest reads the lists of a members-only community",
  },
  {
    file: "core/community/media/media.ts",
    text: 'if (!caller && among === "members") return undefined;',
    fault: "",
    tests: ["web/members-only"],
    why: "a guest sees the pictures of a members-only community",
  },
  {
    file: "core/community/media/media.ts",
    text: "isModerator(caller) && wasHashShown(core, hash)",
    fault: "isModerator(caller) && isHashReferenced(core, hash)",
    tests: ["spec/media"],
    why: "a moderator opens pictures that were never shown to another member",
  },
  {
    file: "web/app.tsx",
    text: 'route.access === "reader" && (ctx.person || !isForMembers(core))',
    fault: 'route.access === "reader"',
    tests: ["web/members-only"],
    why: "a guest opens the pages of a members-only community",
  },
  {
    file: "core/identity/newcomers/newcomers.ts",
    text: "return until > core.clock.now() ? until : undefined;",
    fault: "return until < core.clock.now() ? until : undefined;",
    tests: ["spec/newcomers"],
    why: "newcomer limits apply to everyone except newcomers",
  },
  {
    file: "core/identity/newcomers/newcomers.ts",
    text: "if (links.length > NEWCOMER_LINKS && (fresh > 0",
    fault: "if (links.length > NEWCOMER_LINKS_A_DAY && (fresh > 0",
    tests: ["spec/newcomers"],
    why: "a newcomer's text may contain as many links as a day allows",
  },
  {
    file: "core/identity/newcomers/newcomers.ts",
    text: "const oldest = sentAt(max)[max - 1];",
    fault: "const oldest = sentAt(max)[max];",
    tests: ["spec/requests"],
    why: "a new account may start any number of conversations",
  },
];
