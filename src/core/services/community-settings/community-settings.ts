import { Type } from "@sinclair/typebox";
import { check } from "../../base/check.ts";
import type { Core } from "../../base/core.ts";
import { refuse } from "../../base/errors.ts";
import { lowContrastBackgrounds, accentTones } from "../../identity/community-settings/accent.ts";
import { findZone } from "../../base/time-zones.ts";
import { type Caller, requireAdmin, requireAdminOrToken } from "../../identity/access/caller.ts";
import { requireFresh, requireFreshSession } from "../../identity/accounts/sessions.ts";
import { recordBy } from "../../identity/audit/audit.ts";
import { hostNamed } from "../../identity/held-hosts/held-hosts.ts";
import { linesOf, tokensOf } from "../../base/held-lists.ts";
import {
  type CommunitySettings,
  CommunitySettingsDraft,
  communitySettingsOf,
  isShownPost,
  type Logo,
  putCommunitySettings,
} from "../../identity/community-settings/community-settings.ts";

const Changes = Type.Partial(CommunitySettingsDraft, { additionalProperties: false });

/** New values. Null resets a setting to its default. */
export type CommunitySettingsChange = {
  [Part in keyof CommunitySettingsDraft]?: CommunitySettingsDraft[Part] | null;
};

/** Returns all settings. For admins, their tokens with `admin`, and the operator; throws forbidden. */
export function getCommunitySettings(core: Core, caller: Caller): CommunitySettings {
  requireAdminOrToken(caller);
  return communitySettingsOf(core);
}

/**
 * Changes the given community settings. Null resets a setting to its default. Allowed for admins with a
 * recent sign-in, their tokens with `admin`, and the operator. Throws forbidden, bad_request, unprocessable
 * for an unknown time zone or post, and for a colour with too little contrast.
 */
export function changeCommunitySettings(
  core: Core,
  caller: Caller,
  changes: CommunitySettingsChange,
): CommunitySettings {
  requireAdminOrToken(caller);
  requireFreshSession(core, caller);
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const unset = Object.fromEntries(given.filter(([, value]) => value === null));
  const checked = check(Changes, Object.fromEntries(given.filter(([, value]) => value !== null)));
  const zone = checked.zone === undefined ? undefined : findZone(checked.zone);
  if (checked.zone !== undefined && zone === undefined) throw refuse("zone_unknown");
  if (checked.accent && lowContrastBackgrounds(checked.accent).length > 0)
    throw refuse("colour_contrast", { near: accentTones(checked.accent).day });
  if (checked.heldWords !== undefined) refuseHeldWords(checked.heldWords);
  const hosts = checked.heldLinkHosts === undefined ? undefined : heldHosts(checked.heldLinkHosts);
  return core.db.transact(() => {
    if (given.length === 0) return communitySettingsOf(core);
    const { accent, newcomerPost } = checked;
    if (newcomerPost && !isShownPost(core, newcomerPost)) throw refuse("newcomer_post_unknown");
    putCommunitySettings(core, {
      ...unset,
      ...checked,
      ...(zone === undefined ? {} : { zone }),
      ...(hosts === undefined ? {} : { heldLinkHosts: hosts }),
      // An empty text also resets the setting.
      ...(accent === "" ? { accent: null } : {}),
      ...(newcomerPost === "" ? { newcomerPost: null } : {}),
    });
    const parts = given.map(([part]) => part).sort();
    recordBy(core, caller, "charter.changed", null, { parts: parts.join(", ") });
    return communitySettingsOf(core);
  });
}

/** Maximum number of held words or hosts, and of characters of a word or phrase. */
const HELD_MAX = 200;
const HELD_WORD_MAX = 80;

function refuseHeldWords(list: string): void {
  const words = linesOf(list);
  const isWord = (word: string) => [...word].length <= HELD_WORD_MAX && tokensOf(word) !== "";
  if (words.length > HELD_MAX || !words.every(isWord))
    throw refuse("held_words_wrong", { max: HELD_MAX, length: HELD_WORD_MAX });
}

/** Returns the list with one host per line, as links contain it. A URL counts as its host. */
function heldHosts(list: string): string {
  const hosts = linesOf(list).map(hostOfLine);
  if (hosts.length > HELD_MAX || hosts.includes(undefined))
    throw refuse("held_hosts_wrong", { max: HELD_MAX });
  return [...new Set(hosts)].join("\n");
}

function hostOfLine(line: string): string | undefined {
  const url = URL.parse(/^https?:\/\//i.test(line) ? line : `https://${line}`);
  return url ? hostNamed(url.hostname) : undefined;
}

/**
 * Sets the logo; null removes the logo. The files of a new logo must already be on disk. Allowed for admins
 * with a recent sign-in, and for the operator. Throws forbidden.
 */
export function setLogo(core: Core, caller: Caller, logo: Logo | null): void {
  requireMayChangeCommunity(core, caller);
  core.db.transact(() => {
    putCommunitySettings(core, {
      logo: logo?.hash ?? null,
      logoWidth: logo?.width ?? null,
      logoHeight: logo?.height ?? null,
    });
    recordBy(core, caller, "charter.changed", null, { parts: "logo" });
  });
}

/** Throws forbidden unless the caller may change community settings. Call it before an image is processed. */
export function requireMayChangeCommunity(core: Core, caller: Caller): void {
  requireAdmin(caller);
  requireFresh(core, caller);
}
