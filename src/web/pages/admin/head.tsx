/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@kitajs/html";
import { Heading } from "../../parts/layout.tsx";
import type { PersonAsk } from "../../request/route.ts";

const PLACES = [
  { href: "/admin", words: "Overview" },
  { href: "/admin/health", words: "Health" },
  { href: "/admin/reports", words: "Reports" },
  { href: "/admin/builders", words: "Builders" },
  { href: "/admin/invites", words: "Invites" },
  { href: "/admin/apps", words: "Apps" },
  { href: "/admin/maintenance", words: "Maintenance" },
  { href: "/admin/audit", words: "Audit log" },
] as const;

/** The head of every page for those who run the community, with the way to the others. */
export function AdminHead({
  ask,
  title,
  children,
  action,
}: PropsWithChildren<{ ask: PersonAsk; title: string; action?: JSX.Element }>) {
  const { path } = ask.context;
  return (
    <>
      <nav class="choice-row" aria-label="Admin">
        {PLACES.map(({ href, words }) => (
          <a
            href={href}
            aria-current={
              path === href || (href !== "/admin" && path.startsWith(`${href}/`)) ? "page" : undefined
            }
          >
            {words}
          </a>
        ))}
      </nav>
      <Heading title={title} action={action ?? ""}>
        {children ?? ""}
      </Heading>
    </>
  );
}
