import { Kind, type Static, Type, TypeRegistry } from "@sinclair/typebox";
import {
  HttpsUrl,
  isHttpsUrl,
  isVisible,
  ruled,
  Text,
  URL_MAX,
  WholeNumber,
  PatternText,
} from "../../base/check.ts";
import { DAY } from "../../base/clock.ts";
import type { Core } from "../../base/core.ts";
import type { StoredPicture } from "../../base/db/schema-media.ts";
import { refuse } from "../../base/errors.ts";
import { isId } from "../../base/ids.ts";
import { Id, DisplayText } from "../../base/view.ts";
import {
  type BuilderCaller,
  type Caller,
  isModerator,
  requireBuilder,
} from "../../identity/access/caller.ts";
import { isForMembers, isLogo, selectLogo } from "../../identity/community-settings/community-settings.ts";
import { refuseManyPictures, spendPicture } from "../../identity/newcomers/newcomers.ts";
import { refuseOverQuota } from "../../identity/quotas/quotas.ts";
import {
  deleteUnused,
  insertMedia,
  isHashReferenced,
  wasHashShown,
  isPublicPicture,
  isOwnHash,
  selectNamed,
  selectOwn,
  sumBytes,
  sumBytesOf,
  updateAlt,
} from "./media-store.ts";
import { type EncodedSizes, type PictureStorage, pictureStorageOf } from "./picture-storage.ts";
import { widthsOf } from "./widths.ts";

/**
 * Maximum length of the alternative text, in characters, and maximum dimensions of a picture's largest size,
 * in pixels.
 */
const ALT_MAX = 500;
const WIDTH_MAX = 1920;
const HEIGHT_MAX = 8192;

/** Maximum number of pictures and links of one post. */
export const MEDIA_MAX = 4;

/** A picture as its owner sees it. */
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
    alt: DisplayText("The alternative text. Empty if none was given.", "The queue’s dashboard, all green"),
  },
  { $id: "Media" },
);
export type Media = Static<typeof MediaView>;

/** Fields that a client sends together with the file. */
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

/** How long a picture that was never used is kept. */
const UNUSED_MS = DAY;

/**
 * Checks whether the caller may upload a picture, before the upload is read. Needs `media:write`. Throws
 * forbidden. Throws conflict if the caller's quota or the community's limit is used up, and rate_limited if a
 * new member has uploaded enough today.
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
 * Stores re-encoded files as a picture of the caller. The files are already on disk. The picture is deleted
 * together with the last post that shows the picture. If the picture is never used, it is deleted after a
 * day. Needs `media:write`. Throws the same refusals as `admitMedia`.
 */
export function createMedia(core: Core, caller: Caller, encoded: EncodedSizes, draft: MediaDraft): Media {
  const builder = admitMedia(core, caller);
  const { builderId } = builder;
  return core.db.transact(() => {
    spendPicture(core, builder);
    const createdAt = core.clock.now();
    const row = { ...encoded, id: core.makeId("med", createdAt), alt: altOf(draft), builderId, createdAt };
    insertMedia(core, row);
    return mediaOf(core, row);
  });
}

/**
 * Changes the alternative text of one of the caller's pictures, if no content has shown the picture yet.
 * Ignores any other picture. Needs `media:write`.
 */
export function describeMedia(core: Core, caller: Caller, id: string, draft: MediaDraft): void {
  const { builderId } = requireBuilder(caller, "media:write");
  updateAlt(core, builderId, id, altOf(draft));
}

/**
 * Returns the picture with this id in the format that posts use. Returns undefined if the picture does not
 * belong to the builder. Checks no permission.
 */
export function findOwnPicture(core: Core, builderId: string, id: string): Picture | undefined {
  const [stored] = isId("med", id) ? selectOwn(core, builderId, [id]) : [];
  return stored && pictureOf(core, stored);
}

/** Returns the alternative text of a draft. Returns an empty string if the text has no visible character. */
function altOf({ alt = "" }: MediaDraft): string {
  return isVisible(alt) ? alt : "";
}

const ITEM = "GuildhallMedia";

/** An item of a post's `media`: a link to an image elsewhere, or a picture that the author uploaded. */
export const MediaItem = Type.Unsafe<string>({
  [Kind]: ITEM,
  type: "string",
  maxLength: URL_MAX,
  pattern: "^(?:[Hh][Tt][Tt][Pp][Ss]?://|med_)",
  ...ruled("not_https_url", { max: URL_MAX }),
  rule: `must be an \`https://\` URL of at most ${URL_MAX.toLocaleString("en-US")} characters, or the id of an image`,
});

TypeRegistry.Set(ITEM, (_schema, value) => isHttpsUrl(value) || isId("med", value) || isOwnAddress(value));

/**
 * Whether the value is a URL of a picture on this server. The URL may use http, because servers on a local
 * machine use http.
 */
function isOwnAddress(value: unknown): boolean {
  return typeof value === "string" && /^https?:\/\/[^/\s@]+\/media\/[0-9a-f]{40}-\d{1,4}\.webp$/.test(value);
}

/** Validation rules for picture rows that an import or another untrusted source provides. */
export const mediaRules = {
  hash: PatternText("^[0-9a-f]{40}$", ruled("not_valid"), { maxLength: 40 }),
  width: WholeNumber(1, WIDTH_MAX),
  height: WholeNumber(1, HEIGHT_MAX),
  alt: Text({ min: 0, max: ALT_MAX }),
};

/** Validation rules for the stored media of a post. */
export const StoredMedia = Type.Array(
  Type.Union([HttpsUrl(), Type.Object({ id: Id("med_01kafzq8e5f2r8v0j3n6s1t4wx"), ...mediaRules })]),
  { maxItems: MEDIA_MAX },
);

type StoredPictures = readonly (string | StoredPicture)[];

/**
 * Returns the media to store for the `media` of a draft. Links are stored unchanged. The author's own
 * pictures are stored with the data needed to show them. A picture that the post already has (`before`) may
 * be given by its URL instead of its id. Checks no permission. Throws unprocessable for a picture that is not
 * the author's.
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

/** A picture as part of a post or other content. */
export const PictureView = Type.Object({
  ...MediaView.properties,
  srcset: DisplayText("All sizes, in the format of HTML's `srcset`."),
});
export type Picture = Static<typeof PictureView>;

/** Returns stored media for display: all items as URLs, and the uploaded pictures with details. */
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

/** Returns the path of one size of a picture. */
export function pathOf(hash: string, width: number): string {
  return `/media/${hash}-${width}.webp`;
}

/** Audience of a picture: everyone, members, only the caller (the owner or a moderator), or nobody. */
export type PictureAudience = "all" | "members" | "you" | undefined;

/**
 * Returns who may open a picture with this content.
 * - Everyone, if visible content shows the picture. In a members-only community, every member.
 * - The owner and moderators, if all content that shows the picture is hidden.
 * - Only the owner, if no content has shown the picture yet.
 * `caller` is undefined for a guest.
 */
export function pictureAudience(core: Core, caller: Caller | undefined, hash: string): PictureAudience {
  // The logo is public, because the login page shows the logo to guests.
  if (isLogo(core, hash)) return "all";
  const among = isForMembers(core) ? "members" : "all";
  if (!caller && among === "members") return undefined;
  if (isPublicPicture(core, hash)) return among;
  if (!caller) return undefined;
  const isTheirs = caller.builderId !== null && isOwnHash(core, caller.builderId, hash);
  return isTheirs || (isModerator(caller) && wasHashShown(core, hash)) ? "you" : undefined;
}

/**
 * Returns all pictures of one builder, or of all builders plus the community's logo. For each picture,
 * returns the hash of its content and the width of its largest size.
 */
export function namedMedia(
  core: Pick<Core, "db">,
  builderId: string | undefined,
): { hash: string; width: number }[] {
  const named = selectNamed(core, builderId);
  const logo = builderId === undefined ? selectLogo(core) : undefined;
  const all = logo === undefined ? named : [...named, { hash: logo.hash, width: logo.width }];
  // Removes duplicates, because the logo can also be a post's picture.
  return [...new Map(all.map((each) => [each.hash, each])).values()];
}

/**
 * Deletes pictures that were uploaded at least a day ago and never used. A periodic task calls this function.
 */
export async function dropUnusedMedia(core: Core): Promise<void> {
  const before = core.clock.now() - UNUSED_MS;
  await core.db.write(() => deleteUnused(core, before));
}

/** Deletes picture files that are not named by any database row. A periodic task calls this function. */
export async function sweepMedia(core: Core, storage: PictureStorage): Promise<void> {
  await storage.sweep((hash) => isHashReferenced(core, hash) || isLogo(core, hash), core.clock.now());
}
