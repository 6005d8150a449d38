/** @jsxImportSource @kitajs/html */
import { isAtLeast } from "../../core/identity/access/roles.ts";
import type { PageContext, Person, SectionName } from "../request/route.ts";

type SettingsGroup = "you" | "account" | "contact" | "programs";

/** The pages of the settings menu by subject. */
const SETTINGS: readonly { group: SettingsGroup; sections: readonly SectionName[] }[] = [
  { group: "you", sections: ["profile", "language", "following", "shortcuts"] },
  { group: "account", sections: ["account", "security", "sessions", "activity", "decisions"] },
  { group: "contact", sections: ["notifications", "messages"] },
  { group: "programs", sections: ["tokens", "apps", "connected", "webhooks", "workspaces"] },
];

/** The pages of the admin menu by subject, and whether moderators may open them. */
const ADMIN = [
  { group: "overview", pages: [{ name: "overview" }] },
  {
    group: "moderation",
    pages: [
      { name: "cases", isForModerators: true },
      { name: "appeals", isForModerators: true },
      { name: "content", isForModerators: true },
      { name: "log", isForModerators: true },
    ],
  },
  {
    group: "people",
    pages: [
      { name: "builders", isForModerators: true },
      { name: "applications", isForModerators: false },
      { name: "invites", isForModerators: false },
    ],
  },
  { group: "setup", pages: [{ name: "community" }, { name: "apps" }] },
  {
    group: "server",
    pages: [{ name: "health" }, { name: "statistics" }, { name: "maintenance" }, { name: "audit" }],
  },
] as const;

interface MenuLink {
  href: string;
  label: string;
  isCurrent: boolean;
}

interface MenuGroup {
  title: string;
  links: readonly MenuLink[];
}

/** Whether the page has a menu beside it: settings and, for the team, admin pages. */
export function sideMenuOf(
  ctx: PageContext,
  section: SectionName | undefined,
): { title: string; groups: readonly MenuGroup[] } | undefined {
  const { person, context } = ctx;
  if (!person) return undefined;
  if (section) return { title: ctx.messages.layout.settings, groups: settingsGroups(ctx, section) };
  if (!/^\/admin(\/|$)/.test(context.path) || !isAtLeast(person.role, "moderator")) return undefined;
  return { title: ctx.messages.admin.title, groups: adminGroups(ctx, person) };
}

function settingsGroups({ messages: { layout } }: PageContext, current: SectionName): MenuGroup[] {
  return SETTINGS.map(({ group, sections }) => ({
    title: layout.settingsGroups[group],
    links: sections.map((name) => ({
      href: name === "messages" ? "/messages/settings" : `/settings/${name}`,
      label: layout.sections[name],
      isCurrent: name === current,
    })),
  }));
}

function adminGroups({ context: { path }, messages: { admin } }: PageContext, { role }: Person): MenuGroup[] {
  const isAdmin = isAtLeast(role, "admin");
  return ADMIN.map(({ group, pages }) => ({
    title: group === "overview" ? "" : admin.groups[group],
    links: pages
      .filter((page) => isAdmin || ("isForModerators" in page && page.isForModerators))
      .map(({ name }) => {
        const href = name === "overview" ? "/admin" : `/admin/${name}`;
        return {
          href,
          label: admin.places[name],
          isCurrent: path === href || (href !== "/admin" && path.startsWith(`${href}/`)),
        };
      }),
  })).filter(({ links }) => links.length > 0);
}

/**
 * The menu of related pages. On wide screens, it is beside the page. On other screens, a button opens it as a
 * popover, which needs no script.
 */
export function SideMenu({ title, groups }: { title: string; groups: readonly MenuGroup[] }) {
  const current = groups.flatMap(({ links }) => links).find(({ isCurrent }) => isCurrent);
  return (
    <div class="side">
      <button type="button" class="button quiet side-button" popovertarget="side-menu">
        <span safe>{title}</span> {current === undefined ? "" : <strong safe>{current.label}</strong>}
      </button>
      <nav id="side-menu" aria-label={title} popover="auto">
        {groups.map((group) => (
          <div>
            {group.title === "" ? "" : <p safe>{group.title}</p>}
            <ul aria-label={group.title || undefined}>
              {group.links.map(({ href, label, isCurrent }) => (
                <li>
                  <a href={href} aria-current={isCurrent ? "page" : undefined} safe>
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
    </div>
  );
}
