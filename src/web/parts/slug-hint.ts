import type { TSchema } from "@sinclair/typebox";
import { isSlug } from "../../core/base/check.ts";
import type { Core } from "../../core/base/core.ts";
import { slugOf, spelledTags } from "../../core/base/slugs.ts";
import type { Caller } from "../../core/identity/access/caller.ts";
import {
  categoriesInUse,
  citiesInUse,
  modelsInUse,
  stacksInUse,
  tagsInUse,
  type ValueInUse,
} from "../../core/services/vocabulary/vocabulary.ts";
import { withoutNull } from "../request/forms.ts";
import type { PageContext } from "../request/route.ts";

/** The values in use that a field of this name suggests. */
const IN_USE: Readonly<Record<string, (core: Core, caller: Caller) => ValueInUse[]>> = {
  tags: tagsInUse,
  stack: stacksInUse,
  city: citiesInUse,
  model: modelsInUse,
  category: categoriesInUse,
};

const SUGGESTED = 10;

/** Whether a field takes names that are stored as slugs. Usernames and addresses of companies are exact. */
function slugKindOf(schema: TSchema): "one" | "many" | undefined {
  const { inner } = withoutNull(schema);
  if (inner["items"]?.fault?.code === "not_slug") return "many";
  return inner["fault"]?.code === "not_slug" ? "one" : undefined;
}

/**
 * Returns the hint of a field for slugs in a form that is shown again: what each name becomes, and
 * the values in use. Undefined for any other field.
 */
export function slugHint(ctx: PageContext, name: string, schema: TSchema | undefined): string | undefined {
  const kind = schema && slugKindOf(schema);
  if (kind === undefined || !ctx.form.has(name)) return undefined;
  const messages = ctx.messages.common.slugs;
  const text = ctx.form.getAll(name).join(" ").trim();
  const names = kind === "many" ? spelledTags(text) : [{ typed: text, slug: slugOf(text) }];
  const changed = names.filter(
    ({ typed, slug }) => isSlug(slug) && typed.replace(/^#+/, "").toLowerCase() !== slug,
  );
  const taken = new Set(names.map(({ slug }) => slug));
  const inUse = ctx.person ? (IN_USE[name]?.(ctx.core, ctx.person.caller) ?? []) : [];
  const suggested = inUse.filter((one) => !taken.has(one.name)).slice(0, SUGGESTED);
  return [
    ...changed.map((one) => messages.becomes(isolated(one))),
    suggested.length > 0 && messages.inUse({ list: suggested.map((one) => one.name).join(", ") }),
  ]
    .filter(Boolean)
    .join(" ");
}

/** Keeps the direction of a name to the name itself (Unicode bidirectional isolates). */
function isolated({ typed, slug }: { typed: string; slug: string }) {
  return { typed: `\u2068${typed}\u2069`, slug };
}
