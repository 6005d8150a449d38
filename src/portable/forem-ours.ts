import {
  type Arrival,
  type ArrivalKind,
  findArrival,
  isOpenPost,
  mayWrite,
  type Newcomer,
  noteComments,
  receivePerson,
  receivePost,
  usernameFor,
} from "../core/across/arrivals/arrivals.ts";
import type { PastPost } from "../core/community/feed/past.ts";
import type { Caller } from "../core/identity/access/caller.ts";
import { foldUsername } from "../core/identity/builders/username.ts";
import type { Core } from "../core/ground/core.ts";

/** This community as an import sees it. */
export interface Ours {
  find(kind: ArrivalKind, id: string): Arrival | undefined;
  /** Runs what changes it, all of it or nothing. */
  write<Result>(change: () => Result): Promise<Result>;
  person(person: Newcomer): { id: string; username: string };
  post(kind: ArrivalKind, id: string, post: PastPost): string;
  isOpen(postId: string): boolean;
  mayWrite(builderId: string): boolean;
  /** All comments of an article have come. */
  note(article: string, comments: number): Promise<void>;
}

export function realOurs(core: Core, caller: Caller, host: string): Ours {
  return {
    find: (kind, id) => findArrival(core, caller, { host, kind, id }),
    write: (change) => core.db.write(change),
    person: (person) => receivePerson(core, caller, host, person),
    post: (kind, id, post) => receivePost(core, caller, { host, kind, id }, post),
    isOpen: (postId) => isOpenPost(core, caller, postId),
    mayWrite: (builderId) => mayWrite(core, caller, builderId),
    note: (id, comments) => core.db.write(() => noteComments(core, caller, { host, id }, comments)),
  };
}

/** The same to look at, where what is brought is only remembered. */
export function pretendedOurs(core: Core, caller: Caller, host: string): Ours {
  const real = realOurs(core, caller, host);
  const brought = new Map<string, Arrival>();
  const ids = new Set<string>();
  const names = new Set<string>();
  const keep = (kind: ArrivalKind, id: string, username: string | null): string => {
    const ourId = `pretended ${kind} ${id}`;
    brought.set(`${kind} ${id}`, { ourId, username, comments: null });
    ids.add(ourId);
    return ourId;
  };
  return {
    find: (kind, id) => brought.get(`${kind} ${id}`) ?? real.find(kind, id),
    write: async (change) => change(),
    person({ username: there }) {
      const username = usernameFor(core, there, (name) => names.has(name));
      names.add(username);
      return { id: keep("person", foldUsername(there), username), username };
    },
    post: (kind, id) => keep(kind, id, null),
    isOpen: (postId) => ids.has(postId) || real.isOpen(postId),
    mayWrite: (builderId) => ids.has(builderId) || real.mayWrite(builderId),
    note: async () => {},
  };
}
