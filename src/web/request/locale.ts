import type { Charter } from "../../core/identity/charter/charter.ts";
import { chosenZone } from "../../core/community/xp/streaks.ts";
import type { Core } from "../../core/base/core.ts";
import type { RequestContext } from "../../http/context.ts";
import { choose, wordsIn } from "../words/languages.ts";
import type { Words } from "../words/words.ts";
import { cookieJar, readLanguage } from "./cookies.ts";
import type { Person } from "./route.ts";

/** The zone that moments are shown in. */
export interface ShownZone {
  name: string;
  /** The reader's own choice: moments need not name it. */
  isOwn: boolean;
}

/** What somebody is spoken to in. */
export interface Spoken {
  words: Words;
  /** Where moments are shown. */
  zone: ShownZone;
}

/** What whoever asks is answered in: the language and the zone of their own, else what is near. */
export function localeOf(
  core: Core,
  community: Pick<Charter, "language" | "zone">,
  { request: { headers } }: RequestContext,
  person: Person | undefined,
): Spoken {
  const here = readLanguage(headers.get("cookie"), cookieJar(core.origin).language);
  const language = choose([person?.language, here], headers.get("accept-language"), community.language);
  const own = person && chosenZone(core, person.caller.builderId);
  return {
    words: wordsIn(language),
    zone: own === undefined ? { name: community.zone, isOwn: false } : { name: own, isOwn: true },
  };
}
