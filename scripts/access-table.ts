import { OPERATIONS } from "../src/operations/index.ts";
import { DOCUMENTS } from "../src/web/documents/documents.ts";
import { PAGES } from "../src/web/pages/index.ts";
import { type Role as MemberRole } from "../src/core/identity/access/roles.ts";
import { scopesOfRole } from "../src/core/identity/access/scopes.ts";
import type { PageRoute } from "../src/web/request/route.ts";

/** The contract, with the table of its section 12.27 between two marker comments. */
export const CONTRACT_PAGE = new URL("../docs/contract.md", import.meta.url);

/** Roles that may request a path of the site, from the least privileged up. */
export const ROLES = ["stranger", "member", "moderator", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];

type Access = PageRoute["access"];

/**
 * The response to each role for a path. In a members-only community, guests can open only pages for
 * `anyone`.
 */
export const ANSWERS = {
  anyone: { stranger: "yes", member: "yes", moderator: "yes", admin: "yes", owner: "yes" },
  reader: { stranger: "if everybody reads", member: "yes", moderator: "yes", admin: "yes", owner: "yes" },
  "signed-in": { stranger: "sign-in", member: "yes", moderator: "yes", admin: "yes", owner: "yes" },
  moderator: { stranger: "sign-in", member: "no such page", moderator: "yes", admin: "yes", owner: "yes" },
  admin: {
    stranger: "sign-in",
    member: "no such page",
    moderator: "no such page",
    admin: "yes",
    owner: "yes",
  },
} as const satisfies Readonly<Record<Access, Readonly<Record<Role, string>>>>;

const COLUMN_TITLES: Readonly<Record<Access, string>> = {
  anyone: "sign-in, sign-up, recovery, and documents that every website has",
  reader: "content and profiles of members",
  "signed-in": "a member's own content and settings",
  moderator: "reports, hiding, suspending",
  admin: "running the community",
};

/** Every path that the site serves from a route table. */
export const ADDRESSES: readonly PageRoute[] = [...PAGES, ...DOCUMENTS];

function rightsTable(): string {
  const rows = (Object.keys(ANSWERS) as Access[]).map((access) => {
    const of = ADDRESSES.filter((route) => route.access === access);
    const addresses = (["GET", "POST"] as const).map((method) =>
      of
        .filter((route) => route.method === method)
        .map(({ path }) => `\`${path}\``)
        .sort()
        .join(" "),
    );
    return [COLUMN_TITLES[access], ...ROLES.map((role) => ANSWERS[access][role]), ...addresses];
  });
  const byScope = Map.groupBy(OPERATIONS, ({ scope }) => scope);
  const operations = [...byScope]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([scope, of]) => {
      const by = (role: MemberRole): string =>
        scopesOfRole(role).includes(scope) ? "by a token with it" : "no token has it";
      const names = (isRead: boolean): string =>
        of
          .filter(({ kind }) => (kind === "read" || kind === "list") === isRead)
          .map(({ id }) => `\`${id}\``)
          .sort()
          .join(" ");
      return [
        `REST and GraphQL with \`${scope}\``,
        "401",
        ...ROLES.filter((role) => role !== "stranger").map(by),
        names(true),
        names(false),
      ];
    });
  const head = ["Area", "Guest", "Member", "Moderator", "Admin", "Owner", "Reads", "Actions"];
  return [head, head.map(() => "---"), ...rows, ...operations]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

const [BEGIN, END] = ["<!-- rights: made by `bun run generate` -->", "<!-- end of rights -->"];

/** Returns the page with its table rebuilt from `ANSWERS` and the routes. */
export function withAccessTable(page: string): string {
  const [before = "", rest = ""] = page.split(BEGIN);
  const after = rest.slice(rest.indexOf(END));
  return `${before}${BEGIN}\n\n${rightsTable()}\n\n${after}`;
}
