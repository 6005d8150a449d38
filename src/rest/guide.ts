import type { TSchema } from "@sinclair/typebox";
import { factsOf, NOTIFICATION_KINDS } from "../core/identity/notifications/kinds.ts";
import { CATALOGUE, EVENT_NAMES } from "../core/outbox/events/catalogue.ts";
import TEXT from "./guide.md" with { type: "text" };

/** Tables generated from the core. Each replaces its `{{name}}` in guide.md. */
const TABLES: Readonly<Record<string, () => string>> = {
  "notification kinds": () =>
    table(
      ["`kind`", "Sent when", "To", "Default"],
      NOTIFICATION_KINDS.map((kind) => {
        const { when, forRole, reach, isFixed } = factsOf(kind);
        const to = forRole === undefined ? "everyone" : `${forRole}s`;
        return [`\`${kind}\``, when, to, isFixed ? `\`${reach}\`, always` : `\`${reach}\``];
      }),
    ),
  "event types": () =>
    table(
      ["Event", "Scope", "`data`", "Fires"],
      EVENT_NAMES.map((type) => {
        const { scope, data, when } = CATALOGUE[type];
        return [`\`${type}\``, `\`${scope}\``, fieldsOf(data), `when ${when}`];
      }),
    ),
};

/** The guide to the v1 API. It is part of the OpenAPI document, the reference and docs/api.md. */
export const GUIDE = TEXT.replaceAll(/\{\{(.+?)\}\}/g, (_, name: string) => {
  const made = TABLES[name];
  if (!made) throw new Error(`src/rest/guide.md names no table of src/rest/guide.ts: {{${name}}}`);
  return made();
});

/** Returns field names, nested ones in parentheses: `post` (`id`, `title`). */
function fieldsOf({ properties = {} }: TSchema): string {
  return Object.entries<TSchema>(properties)
    .map(([name, schema]) =>
      schema["type"] === "object" ? `\`${name}\` (${fieldsOf(schema)})` : `\`${name}\``,
    )
    .join(", ");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
