/** @jsxImportSource @kitajs/html */
import type { listAudit } from "../../core/identity/audit/audit.ts";
import type { PageContext } from "../request/route.ts";
import { Ago } from "./parts.tsx";
import { describeAuditEntry } from "./sentences.ts";

type Entries = ReturnType<typeof listAudit>["nodes"];

export function AuditRows({
  entries,
  ctx,
  isForAdmins = false,
}: {
  entries: Entries;
  ctx: PageContext;
  isForAdmins?: boolean;
}) {
  const messages = ctx.messages.account.activity;
  return (
    <ul class="rows">
      {entries.map((entry) => (
        <li>
          <div class="row-main">
            <p class="row-title plainly" dir="auto" safe>
              {describeAuditEntry(ctx.messages, entry)}
            </p>
            <p class="row-meta">
              <Ago ctx={ctx} at={entry.createdAt} />
              <span safe>
                {[
                  entry.actor === null ? [] : messages.by({ username: entry.actor }),
                  isForAdmins && entry.subject !== null && entry.subject !== entry.actor
                    ? messages.about({ username: entry.subject })
                    : [],
                  entry.address === null ? [] : messages.from({ address: entry.address }),
                ]
                  .flat()
                  .map((fact) => ` · ${fact}`)
                  .join("")}
              </span>
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
