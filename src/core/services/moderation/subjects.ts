import { type Static, Type } from "@sinclair/typebox";
import type { Scope } from "../../identity/access/scopes.ts";
import { Choice } from "../../base/check.ts";
import { kindOf } from "../../base/ids.ts";
import type { Core } from "../../base/core.ts";
import { titleOf } from "../../base/title.ts";
import { Id, orNull } from "../../base/view.ts";
import { type ReportedCopy, selectSubjects, type SubjectRow } from "./subjects-store.ts";

/** Kinds that can be reported. Reading and reporting a subject needs the scope of its kind. */
export const SUBJECT_SCOPES = {
  post: "feed:read",
  job: "jobs:read",
  prompt: "prompts:read",
  builder: "profile:read",
  message: "messages:read",
} as const satisfies Record<string, Scope>;

export type SubjectKind = keyof typeof SUBJECT_SCOPES;
export const SUBJECT_KINDS = Object.keys(SUBJECT_SCOPES) as SubjectKind[];

/** Id prefixes by kind. */
const PREFIXES: Readonly<Record<SubjectKind, string>> = {
  post: "post",
  job: "job",
  prompt: "prompt",
  builder: "builder",
  message: "msg",
};

/** The subject of a report or of a moderator's action. */
export const SubjectView = Type.Object(
  {
    type: Choice(SUBJECT_KINDS, "The type of the subject."),
    id: Id("post_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the subject."),
    title: orNull(Type.String(), {
      description:
        "The title or name of the subject. `null` if the subject was deleted and no report keeps a copy.",
      examples: ["Cheap followers"],
    }),
    text: Type.Optional(
      Type.String({
        description:
          "The reported text. For everything except messages, the text is given only if the subject was edited or deleted after the report.",
      }),
    ),
    owner: orNull(Type.String(), {
      description:
        "The username of the owner. `null` if the subject belongs to the operator, or was deleted and no report keeps a copy.",
      examples: ["mallory"],
    }),
    hidden: Type.Boolean({ description: "Whether the content is hidden or the builder is suspended." }),
  },
  { $id: "Subject", description: "The subject of the report, case or decision." },
);

export interface Subject extends Static<typeof SubjectView> {
  ownerId: string | null;
  isDeleted: boolean;
  /** True for an existing post in a conversation of another post. */
  isReply?: true;
}

/** Kinds of content. Moderators can hide content, but not a member or a message. */
export type ContentKind = Exclude<SubjectKind, "builder" | "message">;
export type ContentSubject = Subject & { type: ContentKind };

export function isContent(subject: Subject): subject is ContentSubject {
  return subject.type !== "builder" && subject.type !== "message";
}

/**
 * Returns a subject by id. Returns undefined for an unknown or deleted subject, and for an id of another
 * kind.
 */
export function findSubject(core: Core, id: string): Subject | undefined {
  const subject = subjectsOf(core, [id]).get(id);
  return subject?.isDeleted ? undefined : subject;
}

/** Returns subjects by id, with one query per kind. */
export function subjectsOf(core: Core, ids: readonly string[]): ReadonlyMap<string, Subject> {
  const rows = rowsOf(core, ids);
  const subjects = ids.flatMap((id) => reportedSubject(id, rows.get(id), null) ?? []);
  return new Map(subjects.map((subject) => [subject.id, subject]));
}

/** Returns the rows of the subjects that exist. */
export function rowsOf(core: Core, ids: readonly string[]): ReadonlyMap<string, SubjectRow> {
  const rows = SUBJECT_KINDS.flatMap((kind) => {
    const wanted = ids.filter((id) => subjectKind(id) === kind);
    return wanted.length === 0 ? [] : selectSubjects(core, kind, wanted);
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Returns a subject as moderators see it: its present state, or the copy of a report if the subject is
 * deleted. Returns undefined for an id of another kind.
 */
export function reportedSubject(
  id: string,
  live: SubjectRow | undefined,
  copy: ReportedCopy | null,
): Subject | undefined {
  const type = subjectKind(id);
  if (type === undefined) return undefined;
  const source = live ?? copy;
  if (!source) return { type, id, title: null, owner: null, ownerId: null, hidden: false, isDeleted: true };
  const owner = [live, copy].find((each) => each && each.ownerId !== null && each.username !== null);
  const text = textOf(type, live, copy);
  return {
    type,
    id,
    // The title of a message must not contain the message text, because titles are written to the audit log.
    title:
      type === "post"
        ? titleOf(source.text)
        : type === "message"
          ? `Message of @${owner?.username ?? ""}`
          : source.title,
    ...(text === undefined ? {} : { text }),
    owner: owner?.username ?? null,
    ownerId: owner?.ownerId ?? null,
    hidden: live !== undefined && live.hiddenAt !== null,
    isDeleted: live === undefined,
    ...(live?.isReply === 1 ? { isReply: true as const } : {}),
  };
}

/** Separates the content of the first report from the content of a later report. */
const COPY_SEPARATOR = "\n\n---\n\n";

/**
 * Returns the text of a subject for moderators, if they cannot read it elsewhere. Earlier texts of an
 * existing post are not returned, because its revisions contain them.
 */
function textOf(
  type: SubjectKind,
  live: SubjectRow | undefined,
  copy: ReportedCopy | null,
): string | undefined {
  if (live && type === "message") return live.text;
  if (!copy || (live && type === "post")) return undefined;
  const isRetitled = live !== undefined && live.title !== copy.title;
  const now = live && [live.text, `${live.title}\n\n${live.text}`];
  const then = [isRetitled ? `${copy.title}\n\n${copy.text}` : copy.text, copy.later];
  const gone = then.filter((text) => text !== null && !now?.includes(text));
  return gone.length > 0 ? gone.join(COPY_SEPARATOR) : undefined;
}

function subjectKind(id: string): SubjectKind | undefined {
  return SUBJECT_KINDS.find((kind) => PREFIXES[kind] === kindOf(id));
}
