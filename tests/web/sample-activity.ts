import { bookmarkPost } from "../../src/core/community/feed/bookmarks.ts";
import { createPost } from "../../src/core/community/feed/feed.ts";
import { likePost } from "../../src/core/community/feed/likes.ts";
import { replyTo } from "../../src/core/community/feed/replies.ts";
import { editPost } from "../../src/core/community/feed/revisions.ts";
import { followBuilder, followTag } from "../../src/core/community/following/following.ts";
import { createMedia } from "../../src/core/community/media/media.ts";
import { setPictureStorage, withUploadLimit } from "../../src/core/community/media/picture-storage.ts";
import { createPictureStorage } from "../../src/media/picture-storage.ts";
import { inProcessEncoder } from "../media/gallery.ts";
import * as made from "../media/sample-images.ts";
import type { BuilderCaller } from "../../src/core/identity/access/caller.ts";
import {
  APPEALS,
  APPLICATIONS,
  BACKUPS,
  MEMBERS,
  SIGN_UPS,
  OWN_MAIL,
  factsOf,
  NOTIFICATION_KINDS,
  type NotificationSubject,
  REPORTS,
} from "../../src/core/identity/notifications/kinds.ts";
import { notify } from "../../src/core/identity/notifications/notify.ts";
import { revisePrompt } from "../../src/core/community/prompts/versions.ts";
import type { Site } from "./support.ts";

/** Notification subjects in a sample site, by type. */
export type Subjects = Record<NotificationSubject["type"], string>;

/** Returns Markdown with all common elements and the given text. */
function sampleMarkdown(text: string): string {
  return [
    text,
    "@bob and @ada, look:",
    "```ts\nconst loom: Loom = weave(`${threads} threads`, 7); // 🧵\n```",
    "| Thread | Colour |\n| --- | ---: |\n| warp | blue |",
    `- [x] ${text}\n- [ ] the hem`,
    "It holds.[^1]\n\n[^1]: So far.",
  ].join("\n\n");
}

/**
 * Creates typical activity: an edited post with a picture, code and mentions, a conversation of four levels,
 * follows, bookmarks, and one notification of each kind.
 */
export async function createActivity(
  { core, folder }: Site,
  { ada, bob, root }: Record<"ada" | "bob" | "root", BuilderCaller>,
  subjects: Subjects,
  text: string,
): Promise<void> {
  const write = <Result>(work: () => Result): Result => core.db.transact(work);
  setPictureStorage(core, createPictureStorage(folder, inProcessEncoder()));
  const picture = await withUploadLimit(core, ada.builderId, async (shop) => {
    const file = await shop.receive();
    await file.write(made.png(600, 200));
    return createMedia(core, ada, await shop.encode(file, "ada"), { alt: text.slice(0, 500) }).id;
  });
  editPost(core, ada, subjects.post, {
    text: sampleMarkdown(text),
    tags: ["rust", "loom"],
    media: [picture],
  });
  let parentId = subjects.post;
  for (const caller of [bob, ada, bob, ada]) parentId = replyTo(core, caller, parentId, { text }).id;
  likePost(core, root, subjects.post);
  const bookmarked = createPost(core, bob, { text: sampleMarkdown(text), tags: ["loom"] });
  bookmarkPost(core, ada, bookmarked.id);
  followBuilder(core, ada, "bob");
  followTag(core, ada, "loom");
  for (const caller of [bob, root]) followBuilder(core, caller, "ada");
  revisePrompt(core, ada, subjects.prompt, { body: sampleMarkdown(text), note: text.slice(0, 200) });

  write(() => {
    for (const kind of NOTIFICATION_KINDS) {
      const { subjects: types, forRole } = factsOf(kind);
      for (const type of types) {
        const subject = { type, id: subjects[type] } as NotificationSubject;
        const by = forRole || kind === "decision" ? undefined : bob.builderId;
        notify(core, { to: forRole ? root.builderId : ada.builderId, kind, by, subject, about: text });
      }
    }
  });
}

/** Subjects that exist only once. */
export const SINGLE_SUBJECTS = {
  reports: REPORTS.id,
  appeals: APPEALS.id,
  applications: APPLICATIONS.id,
  members: MEMBERS.id,
  sign_ups: SIGN_UPS.id,
  backups: BACKUPS.id,
  mail: OWN_MAIL.id,
  access: "passkeys",
};
