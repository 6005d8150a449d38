import type { Fault } from "./fault.ts";

/** Faults in the settings of a community, such as who may read and what new members may do. */
export const COMMUNITY: readonly Fault[] = [
  {
    file: "core/identity/community-settings/community-settings.ts",
    text: "isForMembers(core) ? { ...VISITOR, scopes: new Set() } : VISITOR",
    fault: "VISITOR",
    tests: ["core/community-settings", "web/members-only"],
    why: "a stranger reads the lists of a place for members",
  },
  {
    file: "core/community/media/media.ts",
    text: 'if (!caller && among === "members") return undefined;',
    fault: "",
    tests: ["web/members-only"],
    why: "a stranger sees the pictures of a place for members",
  },
  {
    file: "core/community/media/media.ts",
    text: "isModerator(caller) && wasHashShown(core, hash)",
    fault: "isModerator(caller) && isHashReferenced(core, hash)",
    tests: ["spec/media"],
    why: "a moderator opens pictures that their senders have shown to nobody",
  },
  {
    file: "web/app.tsx",
    text: 'route.access === "reader" && (ctx.person || !isForMembers(core))',
    fault: 'route.access === "reader"',
    tests: ["web/members-only"],
    why: "the pages of a place for members are there for strangers",
  },
  {
    file: "core/identity/newcomers/newcomers.ts",
    text: "return until > core.clock.now() ? until : undefined;",
    fault: "return until < core.clock.now() ? until : undefined;",
    tests: ["spec/newcomers"],
    why: "the limits hold for all but newcomers",
  },
  {
    file: "core/identity/newcomers/newcomers.ts",
    text: "if (links.length > NEWCOMER_LINKS && (fresh > 0",
    fault: "if (links.length > NEWCOMER_LINKS_A_DAY && (fresh > 0",
    tests: ["spec/newcomers"],
    why: "a text of a newcomer is a list of links",
  },
  {
    file: "core/identity/newcomers/newcomers.ts",
    text: "const oldest = sentAt(max)[max - 1];",
    fault: "const oldest = sentAt(max)[max];",
    tests: ["spec/requests"],
    why: "a new account writes to everybody",
  },
];
