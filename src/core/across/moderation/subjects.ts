import type { Scope } from "../../identity/access/scopes.ts";
import { kindOf } from "../../ground/ids.ts";
import type { Core } from "../../ground/core.ts";
import { titleOf } from "../../ground/title.ts";
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
export interface Subject {
  kind: SubjectKind;
  id: string;
  /**
   * What it is called: the title of a post's text, of a job or of a prompt, the username of a builder, whose message it is. Null where it
   * is gone.
   */
  title: string | null;
  /** The whole of a message that was reported, which moderators can open nowhere else; null for everything else. */
  text: string | null;
  /** Whose it is: the id and username of a builder; null where it is gone, and for a job of the operator's. */
  owner: { id: string; username: string } | null;
  /** Hidden, or suspended. */
  isHidden: boolean;
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

function toSubject(kind: SubjectKind, id: string, row: SubjectRow | undefined): Subject {
  if (!row) return { kind, id, title: null, text: null, owner: null, isHidden: false };
  const { ownerId, username } = row;
  // A private text is in no title: titles go into the audit log.
  if (kind === "message") row = { ...row, title: `Message of @${username ?? ""}` };
  return {
    kind,
    id,
    title: kind === "post" ? titleOf(row.title) : row.title,
    text: row.text ?? null,
    owner: ownerId === null || username === null ? null : { id: ownerId, username },
    isHidden: row.hiddenAt !== null,
  };
}
