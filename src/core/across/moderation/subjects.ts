import { type Static, Type } from "@sinclair/typebox";
import type { Scope } from "../../identity/access/scopes.ts";
import { Choice } from "../../ground/check.ts";
import { kindOf } from "../../ground/ids.ts";
import type { Core } from "../../ground/core.ts";
import { titleOf } from "../../ground/title.ts";
import { Id, orNull } from "../../ground/view.ts";
import { selectSubjects, type SubjectRow } from "./subjects-store.ts";

/** What can be reported, each with the scope that it is read with: whoever may read it may report it. */
export const SUBJECT_SCOPES = {
  post: "feed:read",
  job: "jobs:read",
  prompt: "prompts:read",
  builder: "profile:read",
  message: "messages:read",
} as const satisfies Record<string, Scope>;

export type SubjectKind = keyof typeof SUBJECT_SCOPES;
export const SUBJECT_KINDS = Object.keys(SUBJECT_SCOPES) as SubjectKind[];

/** How the ids of each begin. */
const PREFIXES: Readonly<Record<SubjectKind, string>> = {
  post: "post",
  job: "job",
  prompt: "prompt",
  builder: "builder",
  message: "msg",
};

/** What a report or an act of moderation is about. */
export const SubjectView = Type.Object(
  {
    type: Choice(SUBJECT_KINDS, "What it is."),
    id: Id("post_01kafzq8e5f2r8v0j3n6s1t4wx", "Its identifier."),
    title: orNull(Type.String(), {
      description: "What it is called; null where it was deleted.",
      examples: ["Cheap followers"],
    }),
    // Moderators can open it nowhere else.
    text: Type.Optional(
      Type.String({ description: "The whole of a message that was reported, and of nothing else." }),
    ),
    owner: orNull(Type.String(), {
      description: "Whose it is: a username; null where it was deleted, or is the operator's.",
      examples: ["mallory"],
    }),
    hidden: Type.Boolean({ description: "Whether it is hidden, or the builder suspended." }),
  },
  { $id: "Subject" },
);

export interface Subject extends Static<typeof SubjectView> {
  ownerId: string | null;
}

/** Undefined where there is none, for an id of another kind, too. */
export function findSubject(core: Core, id: string): Subject | undefined {
  const subject = subjectsOf(core, [id]).get(id);
  return subject?.title === null ? undefined : subject;
}

/** All of them in one statement for each kind. */
export function subjectsOf(core: Core, ids: readonly string[]): ReadonlyMap<string, Subject> {
  const subjects = new Map<string, Subject>();
  for (const kind of SUBJECT_KINDS) {
    const wanted = ids.filter((id) => kindOf(id) === PREFIXES[kind]);
    if (wanted.length === 0) continue;
    const rows = new Map(selectSubjects(core, kind, wanted).map((row) => [row.id, row]));
    for (const id of wanted) subjects.set(id, toSubject(kind, id, rows.get(id)));
  }
  return subjects;
}

function toSubject(type: SubjectKind, id: string, row: SubjectRow | undefined): Subject {
  if (!row) return { type, id, title: null, owner: null, ownerId: null, hidden: false };
  const { title, text, username, ownerId, hiddenAt } = row;
  return {
    type,
    id,
    // A private text is in no title: titles go into the audit log.
    title: type === "post" ? titleOf(title) : type === "message" ? `Message of @${username ?? ""}` : title,
    ...(text === undefined ? {} : { text }),
    owner: ownerId === null ? null : username,
    ownerId: username === null ? null : ownerId,
    hidden: hiddenAt !== null,
  };
}
