/** @jsxImportSource @kitajs/html */
import { waitingAmong } from "../../core/community/holding/holding.ts";
import { getSubjects } from "../../core/services/moderation/moderation.ts";
import { mayActOn, isAtLeast, type Role } from "../../core/identity/access/roles.ts";
import { kindOf } from "../../core/base/ids.ts";
import type { PageContext } from "../request/route.ts";

/** The menu depends only on these values, so a kept card has them in its key. */
export interface Moderated {
  /** The id of a post, job, prompt, message or builder. */
  id: string;
  /** The username of the member whom acts on the account concern. Null if there are no such acts. */
  member: string | null;
  isHidden: boolean;
  /** Whether the content waits for approval. */
  isHeld?: boolean;
  /** Whether the subject begins a conversation. */
  isThread?: boolean;
  isLocked?: boolean;
}

/** The path of a case. The id is that of the case or of its subject. */
export function casePath(id: string, act?: string): string {
  return `/admin/cases/${id}${act === undefined ? "" : `?act=${act}`}`;
}

/** The page that previews the removal of a spammer. */
export function spamPath(username: string): string {
  return `/admin/spam?username=${username}`;
}

/** Whether the reader gets the menu. */
export function isModerating({ person }: Pick<PageContext, "person">): boolean {
  return person !== undefined && isAtLeast(person.role, "moderator");
}

/**
 * Returns the member whom the reader's acts on the account may concern: another member with a lower role.
 * Reads nothing, because the page has already read the names of staff.
 */
export function actsOn(ctx: Pick<PageContext, "person" | "staff">, username: string | null): string | null {
  const { person } = ctx;
  if (!person || username === null || person.caller.username === username) return null;
  const role: Role = ctx.staff().roles.get(username) ?? "member";
  return mayActOn(person.role, "suspend", role) ? username : null;
}

/** The menu on a job, a prompt or a profile. Only for staff does it read the subject. */
export function ModerateSubject({ ctx, id }: { ctx: PageContext; id: string }) {
  if (!ctx.person || !isModerating(ctx)) return "";
  const subject = getSubjects(ctx.core, ctx.person.caller, [id]).get(id);
  if (!subject || subject.isDeleted) return "";
  const { hidden: isHidden, owner } = subject;
  const isHeld = waitingAmong(ctx.core, [{ id, isHidden }]).has(id);
  return (
    <div class="moderate-bar">
      <ModerateMenu
        messages={ctx.messages}
        of={{ id, member: actsOn(ctx, owner), isHidden, isHeld }}
        isSuspended={isHidden && kindOf(id) === "builder"}
      />
    </div>
  );
}

/** A menu for staff beside content or a member. Each link opens the case with the act preselected. */
export function ModerateMenu({
  messages: all,
  of,
  isSuspended = false,
}: Pick<PageContext, "messages"> & { of: Moderated; isSuspended?: boolean }) {
  const messages = all.desk.menu;
  const { id, member } = of;
  const kind = kindOf(id);
  const onContent = kind === "builder" || kind === "msg" ? [] : contentActs(of);
  const onMember = (["warn", "limit", isSuspended ? "unsuspend" : "suspend"] as const).filter(
    () => member !== null,
  );
  return (
    <details class="moderate">
      <summary>{messages.title}</summary>
      <ul class="moderate-menu">
        <li>
          <a href={casePath(id)}>{messages.case}</a>
        </li>
        {onContent.map((act) => (
          <li>
            <a href={casePath(id, act)}>{messages[act]}</a>
          </li>
        ))}
        {onMember.map((act, i) => (
          <li class={i === 0 ? "apart" : undefined}>
            <a href={casePath(id, act)} dir="auto" safe>
              {messages[act]({ username: member ?? "" })}
            </a>
          </li>
        ))}
        {member === null ? (
          ""
        ) : (
          <li class="apart">
            <a class="risky" href={spamPath(member)}>
              {messages.spam}
            </a>
          </li>
        )}
      </ul>
    </details>
  );
}

function contentActs({ isHidden, isHeld = false, isThread = false, isLocked = false }: Moderated) {
  return [
    ...(isHeld ? (["approve", "hide"] as const) : isHidden ? (["restore"] as const) : (["hide"] as const)),
    ...(isThread ? [isLocked ? ("unlock" as const) : ("lock" as const)] : []),
  ];
}
