/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import { isAtLeast } from "../../../core/identity/access/roles.ts";
import { Heading } from "../../parts/layout.tsx";
import type { PersonContext } from "../../request/route.ts";

const ADMIN_PAGES = [
  { href: "/admin", name: "overview" },
  { href: "/admin/health", name: "health" },
  { href: "/admin/statistics", name: "statistics" },
  { href: "/admin/cases", name: "cases" },
  { href: "/admin/appeals", name: "appeals" },
  { href: "/admin/content", name: "content" },
  { href: "/admin/community", name: "community" },
  { href: "/admin/builders", name: "builders" },
  { href: "/admin/invites", name: "invites" },
  { href: "/admin/applications", name: "applications" },
  { href: "/admin/apps", name: "apps" },
  { href: "/admin/maintenance", name: "maintenance" },
  { href: "/admin/log", name: "log" },
  { href: "/admin/audit", name: "audit" },
] as const;

/** The admin pages that moderators may open. */
const MODERATOR_PAGES: readonly string[] = ["cases", "appeals", "content", "builders", "log"];

/** The head of every admin page, with links to the other admin pages. */
export function AdminHead({
  ctx,
  title,
  children,
  action,
}: PropsWithChildren<{ ctx: PersonContext; title: string; action?: JSX.Element }>) {
  const { path } = ctx.context;
  const messages = ctx.messages.admin;
  const isAdmin = isAtLeast(ctx.person.role, "admin");
  return (
    <>
      <nav class="choice-row" aria-label={messages.title}>
        {ADMIN_PAGES.filter(({ name }) => isAdmin || MODERATOR_PAGES.includes(name)).map(({ href, name }) => (
          <a
            href={href}
            aria-current={
              path === href || (href !== "/admin" && path.startsWith(`${href}/`)) ? "page" : undefined
            }
          >
            {messages.places[name]}
          </a>
        ))}
      </nav>
      <Heading title={title} action={action ?? ""}>
        {children ?? ""}
      </Heading>
    </>
  );
}
