import { isSlug } from "../../../core/base/check.ts";
import { slugOf } from "../../../core/base/slugs.ts";
import { completeMember, completeTag } from "../../../core/services/vocabulary/completion.ts";
import { json } from "../../../http/answer.ts";
import { filterOf } from "../../request/paging.ts";
import { type PersonContext, signedInPage } from "../../request/route.ts";

/** A suggestion of the page script (docs/contract.md#9.44): the text to insert, and a description. */
type Suggestion = [inserted: string, description: string];

/** Maximum length of the typed word, in UTF-16 code units. No name of a member is longer. */
const TYPED_MAX = 80;

/** Suggestions for the word that a member is typing. */
export const completionPages = [
  signedInPage("GET", "/complete", (ctx) => {
    const typed = (filterOf(ctx, "q") ?? "").slice(0, TYPED_MAX);
    const found = filterOf(ctx, "of") === "member" ? membersFor(ctx, typed) : tagsFor(ctx, typed);
    return json(ctx.context, 200, found);
  }),
];

function membersFor({ core, person }: PersonContext, typed: string): Suggestion[] {
  return completeMember(core, person.caller, typed).map(({ username, name }) => [`@${username}`, name]);
}

/** The slug of the typed word comes first, if it is spelled differently. */
function tagsFor({ core, person, messages }: PersonContext, typed: string): Suggestion[] {
  const slug = slugOf(typed);
  const tags = completeTag(core, person.caller, typed).map((tag): Suggestion => [`#${tag}`, ""]);
  if (!isSlug(slug) || slug === typed.toLowerCase()) return tags;
  const own: Suggestion = [`#${slug}`, messages.common.slugs.becomes({ typed, slug })];
  return [own, ...tags.filter(([tag]) => tag !== own[0])];
}
