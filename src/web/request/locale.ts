import Negotiator from "negotiator";
import type { CommunitySettings } from "../../core/identity/community-settings/community-settings.ts";
import { chosenZone } from "../../core/community/xp/streaks.ts";
import type { Core } from "../../core/base/core.ts";
import { isLanguage, type Language, LANGUAGES } from "../../core/base/locales.ts";
import type { RequestContext } from "../../http/context.ts";
import { type LocaleMessages, messagesOf } from "../../locale/messages.ts";
import { cookieJar, readLanguage } from "./cookies.ts";
import type { Person } from "./route.ts";

/** The time zone of a page. */
export interface PageTimeZone {
  name: string;
  /** Whether the reader chose the zone. Times then do not name the zone. */
  isOwn: boolean;
}

/** The language and time zone of a page. */
export interface PageLocale {
  messages: LocaleMessages;
  zone: PageTimeZone;
}

/** Chooses language and zone: the reader's own, or else the closest match. */
export function localeOf(
  core: Core,
  community: Pick<CommunitySettings, "language" | "zone">,
  { request: { headers } }: RequestContext,
  person: Person | undefined,
): PageLocale {
  const here = readLanguage(headers.get("cookie"), cookieJar(core.origin).language);
  const language = preferredLanguage(
    [person?.language, here],
    headers.get("accept-language"),
    community.language,
  );
  const own = person && chosenZone(core, person.caller.builderId);
  return {
    messages: messagesOf(language),
    zone: own === undefined ? { name: community.zone, isOwn: false } : { name: own, isOwn: true },
  };
}

/**
 * Returns the language of a response: the reader's choice, or else a match of `Accept-Language` (RFC 9110
 * §12.5.4), or else the community's language. `de-AT` matches German.
 */
export function preferredLanguage(
  chosen: readonly (string | null | undefined)[],
  accepted: string | null,
  community: Language,
): Language {
  const own = chosen.find(isLanguage);
  if (own !== undefined) return own;
  // A browser that accepts any language gets the community's language.
  const offered = [community, ...LANGUAGES];
  const preferred =
    accepted && new Negotiator({ headers: { "accept-language": accepted } }).language(offered);
  return isLanguage(preferred) ? preferred : community;
}
