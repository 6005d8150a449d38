import {
  type ImportedItem,
  type ImportedKind,
  findImported,
  findNamesake,
  hasMembersNotFrom,
  isFreeName,
  isOpenPost,
  matchPerson,
  findMemberByUsername,
  mayWrite,
  type ImportedAuthor,
  recordCommentCount,
  importPerson,
  importPost,
  usernameFor,
} from "../core/services/imported/imported.ts";
import type { ImportedPost } from "../core/community/feed/imported-posts.ts";
import type { Caller } from "../core/identity/access/caller.ts";
import { foldUsername } from "../core/identity/builders/username.ts";
import type { Core } from "../core/base/core.ts";

export interface ImportTarget {
  find(kind: ImportedKind, id: string): ImportedItem | undefined;
  /** Runs `change` in one transaction. */
  write<Result>(change: () => Result): Promise<Result>;
  /**
   * Creates an account for the person. With `as`, uses that member's account or creates one with that
   * username.
   */
  person(person: ImportedAuthor, as?: string): { id: string; username: string; isMember: boolean };
  member(username: string): { id: string; username: string } | undefined;
  /** Returns the member who has the same username as the person, but was not imported from this Forem. */
  memberWithSameName(foremName: string): string | undefined;
  /** Whether the community has members who were not imported from this Forem. */
  hasOtherMembers(): boolean;
  isFree(username: string): boolean;
  /** Returns the username that a new account of this person gets. */
  usernameFor(foremName: string): string;
  post(kind: ImportedKind, id: string, post: ImportedPost): string;
  isOpen(postId: string): boolean;
  mayWrite(builderId: string): boolean;
  /** Records that all comments of an article were imported. */
  note(article: string, comments: number): Promise<void>;
}

export function importTarget(core: Core, caller: Caller, host: string): ImportTarget {
  return {
    find: (kind, id) => findImported(core, caller, { host, kind, id }),
    write: (change) => core.db.write(change),
    person(person, as) {
      const member = as === undefined ? undefined : findMemberByUsername(core, caller, as);
      if (!member) return { ...importPerson(core, caller, host, person, as), isMember: false };
      matchPerson(core, caller, { host, name: person.username }, member.id);
      return { ...member, isMember: true };
    },
    member: (username) => findMemberByUsername(core, caller, username),
    memberWithSameName: (foremName) => findNamesake(core, caller, host, foremName),
    hasOtherMembers: () => hasMembersNotFrom(core, caller, host),
    isFree: (username) => isFreeName(core, caller, username),
    usernameFor: (foremName) => usernameFor(core, foremName),
    post: (kind, id, post) => importPost(core, caller, { host, kind, id }, post),
    isOpen: (postId) => isOpenPost(core, caller, postId),
    mayWrite: (builderId) => mayWrite(core, caller, builderId),
    note: (id, comments) => core.db.write(() => recordCommentCount(core, caller, { host, id }, comments)),
  };
}

/** Reads the database like `importTarget`, but keeps all changes in memory. */
export function dryRunTarget(core: Core, caller: Caller, host: string): ImportTarget {
  const real = importTarget(core, caller, host);
  const brought = new Map<string, ImportedItem>();
  const ids = new Set<string>();
  const made = new Map<string, { id: string; username: string }>();
  const record = (kind: ImportedKind, id: string, username: string | null): string => {
    const ourId = `pretended ${kind} ${id}`;
    brought.set(`${kind} ${id}`, { ourId, username, comments: null });
    ids.add(ourId);
    return ourId;
  };
  return {
    ...real,
    find: (kind, id) => brought.get(`${kind} ${id}`) ?? real.find(kind, id),
    write: async (change) => change(),
    person({ username: foremName }, as) {
      const key = foldUsername(foremName);
      const member = as === undefined ? undefined : (real.member(as) ?? made.get(as));
      if (member) {
        brought.set(`person ${key}`, { ourId: member.id, username: member.username, comments: null });
        return { ...member, isMember: true };
      }
      const username = as ?? usernameFor(core, foremName, (name) => made.has(name));
      const account = { id: record("person", key, username), username };
      made.set(username, account);
      return { ...account, isMember: false };
    },
    post: (kind, id) => record(kind, id, null),
    isOpen: (postId) => ids.has(postId) || real.isOpen(postId),
    mayWrite: (builderId) => ids.has(builderId) || real.mayWrite(builderId),
    note: async () => {},
  };
}
