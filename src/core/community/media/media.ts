import { Kind, type Static, Type, TypeRegistry } from "@sinclair/typebox";
import { HttpsUrl, isHttpsUrl, isVisible, ruled, Text, URL_MAX, Whole, Word } from "../../base/check.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import type { StoredPicture } from "../../base/db/schema-media.ts";
import { refuse } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { Id, Shown } from "../../base/view.ts";
import {
  type BuilderCaller,
  type Caller,
  isModerator,
  requireBuilder,
} from "../../identity/access/caller.ts";
import { findLogo, isForMembers, isLogo } from "../../identity/community-settings/community-settings.ts";
import { refuseManyPictures, spendPicture } from "../../identity/newcomers/newcomers.ts";
import { refuseOverQuota } from "../../identity/quotas/quotas.ts";
import {
  deleteUnused,
  insertMedia,
  isHashNamed,
  isHashShown,
  isSeenByAll,
  isOwnHash,
  selectNamed,
  selectOwn,
  sumBytes,
  sumBytesOf,
  updateAlt,
} from "./media-store.ts";
import { type EncodedSizes, type PictureStorage, pictureStorageOf } from "./picture-storage.ts";
import { widthsOf } from "./widths.ts";

/** The longest words beside a picture, and its largest sides. */
const ALT_MAX = 500;
const WIDTH_MAX = 1920;
const HEIGHT_MAX = 8192;

/** A picture of somebody's own, as it is shown to them. */
export const MediaView = Type.Object(
  {
    id: Id("med_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the image. Use it in the `media` of a post."),
    url: Type.String({
      format: "uri",
      description: "The URL of the largest size.",
      examples: ["https://guild.example/media/9f2c4e1a7b3d5f60819283a4b5c6d7e8f9012345-1920.webp"],
    }),
    width: Type.Integer({ description: "The width of the largest size, in pixels.", examples: [1920] }),
    height: Type.Integer({ description: "The height of the largest size, in pixels.", examples: [1080] }),
    alt: Shown("The alternative text. Empty if none was given.", "The queue’s dashboard, all green"),
  },
  { $id: "Media" },
);
export type Media = Static<typeof MediaView>;

/** What is sent beside the file. */
export const MediaDraft = Type.Object({
  alt: Type.Optional(
    Text({
      min: 0,
      max: ALT_MAX,
      description: "The alternative text: what the image shows, for people who cannot see it.",
      examples: ["The queue’s dashboard, all green"],
    }),
  ),
});
export type MediaDraft = Static<typeof MediaDraft>;

/** What was never used goes after so long. */
const UNUSED_MS = DAY;

/**
 * Whether the caller may send a picture, asked before anybody reads one. Needs `media:write`. Throws
 * forbidden, and conflict where they, or all together, have sent as much as there may be; rate_limited for
 * somebody new who has sent enough for today.
 */
export function admitMedia(core: Core, caller: Caller): BuilderCaller {
  const builder = requireBuilder(caller, "media:write");
  refuseOverQuota(core, builder, "media", () => sumBytesOf(core, builder.builderId));
  const { mediaMax } = core.policy;
  if (mediaMax !== undefined && sumBytes(core) >= mediaMax) throw refuse("media_full");
  pictureStorageOf(core);
  refuseManyPictures(core, builder);
  return builder;
}

/**
 * Makes what was drawn a picture of the caller's, whose files are on disk already. It is deleted with the
 * last post that shows it, or after a day where none ever did. Needs `media:write`. Throws as `admitMedia`.
 */
export function createMedia(core: Core, caller: Caller, drawn: EncodedSizes, draft: MediaDraft): Media {
  const builder = admitMedia(core, caller);
  const { builderId } = builder;
  return core.db.transact(() => {
    spendPicture(core, builder);
    const createdAt = core.clock.now();
    const row = { ...drawn, id: core.makeId("med", createdAt), alt: altOf(draft), builderId, createdAt };
    insertMedia(core, row);
    return mediaOf(core, row);
  });
}

/**
 * Changes the description of a picture of the caller's that nothing has shown yet; any other stays as it is.
 * Needs `media:write`.
 */
export function describeMedia(core: Core, caller: Caller, id: string, draft: MediaDraft): void {
  const { builderId } = requireBuilder(caller, "media:write");
  updateAlt(core, builderId, id, altOf(draft));
}

/** The builder's own picture, as posts show it; undefined for any other id. Asks no right. */
export function findOwnPicture(core: Core, builderId: string, id: string): Picture | undefined {
  const [stored] = isId("med", id) ? selectOwn(core, builderId, [id]) : [];
  return stored && pictureOf(core, stored);
}

/** A description that nobody sees is none. */
function altOf({ alt = "" }: MediaDraft): string {
  return isVisible(alt) ? alt : "";
}

const ITEM = "GuildhallMedia";

/** One of a post's `media`: an address elsewhere, or a picture that its author has sent. */
export const MediaItem = Type.Unsafe<string>({
  [Kind]: ITEM,
  type: "string",
  maxLength: URL_MAX,
  pattern: "^(?:[Hh][Tt][Tt][Pp][Ss]?://|med_)",
  ...ruled("not_https_url", { max: URL_MAX }),
  rule: `must be an \`https://\` URL of at most ${URL_MAX.toLocaleString("en-US")} characters, or the id of an image`,
});

TypeRegistry.Set(ITEM, (_schema, value) => isHttpsUrl(value) || isId("med", value) || isOwnAddress(value));

/** Of a picture that is shown here, which need not be by https on a machine of one's own. */
function isOwnAddress(value: unknown): boolean {
  return typeof value === "string" && /^https?:\/\/[^/\s@]+\/media\/[0-9a-f]{40}-\d{1,4}\.webp$/.test(value);
}

/** What is asked of rows that come from outside. */
export const mediaRules = {
  hash: Word("^[0-9a-f]{40}$", ruled("not_valid"), { maxLength: 40 }),
  width: Whole(1, WIDTH_MAX),
  height: Whole(1, HEIGHT_MAX),
  alt: Text({ min: 0, max: ALT_MAX }),
};

/** And of what a post keeps. */
export const StoredMedia = Type.Array(
  Type.Union([HttpsUrl(), Type.Object({ id: Id("med_01kafzq8e5f2r8v0j3n6s1t4wx"), ...mediaRules })]),
  { maxItems: 4 },
);

type StoredPictures = readonly (string | StoredPicture)[];

/**
 * What a post keeps of the `media` of its draft: addresses as they are, and of the author's own pictures what
 * it takes to show them. Of a picture that it keeps already (`before`) the address says as much as its id.
 * Asks no right. Throws unprocessable for a picture that is not theirs.
 */
export function storedMedia(
  core: Core,
  builderId: string,
  media: readonly string[],
  before: StoredPictures = [],
): (string | StoredPicture)[] {
  const ids = media.filter((item) => isId("med", item));
  const own = new Map(ids.length > 0 ? selectOwn(core, builderId, ids).map((row) => [row.id, row]) : []);
  const addresses = addressesOf(core, before);
  return media.map((item) => {
    const kept = before[addresses.indexOf(item)];
    if (kept !== undefined || isHttpsUrl(item)) return kept ?? item;
    const found = own.get(item);
    if (!found) throw refuse("media_unknown");
    return found;
  });
}

/** A picture as it is shown with what it belongs to. */
export const PictureView = Type.Object({
  ...MediaView.properties,
  srcset: Shown("All sizes, in the format of HTML's `srcset`."),
});
export type Picture = Static<typeof PictureView>;

/** What a post keeps, as it is shown: all of it as addresses, and the pictures among them. */
export function shownMedia(core: Core, kept: StoredPictures): { media: string[]; pictures: Picture[] } {
  if (kept.length === 0) return { media: [], pictures: [] };
  const pictures = kept.flatMap((item) => (typeof item === "string" ? [] : [pictureOf(core, item)]));
  return { media: addressesOf(core, kept), pictures };
}

function addressesOf(core: Core, kept: StoredPictures): string[] {
  return kept.map((item) => (typeof item === "string" ? item : mediaOf(core, item).url));
}

function pictureOf(core: Core, stored: StoredPicture): Picture {
  const srcset = widthsOf(stored.width)
    .map((width) => `${core.origin}${pathOf(stored.hash, width)} ${width}w`)
    .join(", ");
  return { ...mediaOf(core, stored), srcset };
}

function mediaOf({ origin }: Core, { id, hash, width, height, alt }: StoredPicture): Media {
  return { id, url: `${origin}${pathOf(hash, width)}`, width, height, alt };
}

/** Where a size of a picture is served. */
export function pathOf(hash: string, width: number): string {
  return `/media/${hash}-${width}.webp`;
}

/** Whom a picture may be shown: everybody, only who asks (who has sent it, or a moderator), or nobody. */
export type PictureAudience = "all" | "members" | "you" | undefined;

/**
 * Returns who may open a picture with this content. Everybody may, or every member of a members-only
 * community, while anything that they see shows it. Its sender and moderators may while all of that is
 * hidden. Its sender alone may before anything shows it. `caller` is undefined for a stranger.
 */
export function pictureAudience(core: Core, caller: Caller | undefined, hash: string): PictureAudience {
  // The logo stands where strangers are told how to come in.
  if (isLogo(core, hash)) return "all";
  const among = isForMembers(core) ? "members" : "all";
  if (!caller && among === "members") return undefined;
  if (isSeenByAll(core, hash)) return among;
  if (!caller) return undefined;
  const isTheirs = caller.builderId !== null && isOwnHash(core, caller.builderId, hash);
  return isTheirs || (isModerator(caller) && isHashShown(core, hash)) ? "you" : undefined;
}

/**
 * All pictures that there are, of one builder or of all with the community's logo: the name of the content,
 * and how wide the largest size is.
 */
export function namedMedia(
  core: Pick<Core, "db">,
  builderId: string | undefined,
): { hash: string; width: number }[] {
  const named = selectNamed(core, builderId);
  const logo = builderId === undefined ? findLogo(core) : undefined;
  const all = logo === undefined ? named : [...named, { hash: logo.hash, width: logo.width }];
  // One that is a post's picture, too, is named once.
  return [...new Map(all.map((each) => [each.hash, each])).values()];
}

/** Deletes what was sent a day ago and never used. Called now and then. */
export async function dropUnusedMedia(core: Core): Promise<void> {
  const before = core.clock.now() - UNUSED_MS;
  await core.db.write(() => deleteUnused(core, before));
}

/** Deletes the files that nothing names any more. Called now and then. */
export async function sweepMedia(core: Core, shop: PictureStorage): Promise<void> {
  await shop.sweep((hash) => isHashNamed(core, hash) || isLogo(core, hash), core.clock.now());
}
