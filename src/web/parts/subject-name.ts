import type { Subject } from "../../core/services/moderation/subjects.ts";
import type { PageContext } from "../request/route.ts";

/** The name of a subject in a list, such as “Post: Cheap followers”. */
export function subjectName(ctx: PageContext, { type, title, owner, isReply }: Subject): string {
  const kind = ctx.messages.desk.subjects[isReply ? "reply" : type];
  if (title === null) return kind;
  if (type === "builder") return `@${title}`;
  return type === "message" ? `${kind}: @${owner ?? ""}` : `${kind}: ${title}`;
}
