/** @jsxImportSource @kitajs/html */
import { listUnhealthy, type UnhealthyEndpoint } from "../../core/outbox/webhooks/health.ts";
import { Time } from "./parts.tsx";
import type { PageContext, Person } from "../request/route.ts";

const SHOWN = 3;

/**
 * The notice on every page of a member about endpoints that failed for a day or were disabled automatically.
 * It is shown until the endpoint recovers, or the member enables, disables or deletes it.
 */
export function FailingEndpoints({ ctx, person }: { ctx: PageContext; person: Person }) {
  const troubled = listUnhealthy(ctx.core, person.caller);
  if (troubled.length === 0) return "";
  const messages = ctx.messages.layout.troubles;
  const more = troubled.length - SHOWN;
  return (
    <aside class="notice trouble" aria-label={messages.label}>
      {troubled.slice(0, SHOWN).map((endpoint) => (
        <p>
          {describeFailure(ctx, endpoint)}{" "}
          <a href={addressOf(endpoint, person)}>
            {messages.look}
            <span class="unseen" safe>{`: ${hostOf(endpoint.url)}`}</span>
          </a>
        </p>
      ))}
      {more > 0 ? <p>{messages.more({ count: more })}</p> : ""}
    </aside>
  );
}

function describeFailure(ctx: PageContext, { url, health, disabled }: UnhealthyEndpoint): JSX.Element {
  const messages = ctx.messages.layout.troubles;
  const since = <Time ctx={ctx} at={disabled ? disabled.at : (health.failingSince ?? 0)} />;
  const host = (
    <strong dir="auto" safe>
      {hostOf(url)}
    </strong>
  );
  if (!disabled) return messages.failing({ host, since });
  return messages.off({ host, since, reason: ctx.messages.deliveries.disabled[disabled.code] });
}

function addressOf({ id, workspaceId }: UnhealthyEndpoint, { caller }: Person): string {
  const path = `/settings/webhooks/${id}`;
  return workspaceId === caller.workspaceId ? path : `${path}?workspace=${workspaceId}`;
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
