/** @jsxImportSource @kitajs/html */
import type { PageContext } from "../request/route.ts";
import { Views } from "./layout.tsx";

/** The tabs of the notification settings: the kinds, and each channel outside of this site. */
export function NotificationTabs({ ctx }: { ctx: PageContext }) {
  const { browsers, mail, feed } = ctx.messages.channels;
  const { settings } = ctx.messages.notifications;
  return (
    <Views
      ctx={ctx}
      label={ctx.messages.layout.sections.notifications}
      views={[
        { href: "/settings/notifications", label: settings.tab },
        { href: "/settings/mail", label: mail.title },
        { href: "/settings/browsers", label: browsers.title },
        { href: "/settings/feed", label: feed.title },
      ]}
    />
  );
}
