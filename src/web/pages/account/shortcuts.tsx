/** @jsxImportSource @kitajs/html */
import type { LocaleMessages } from "../../../locale/messages.ts";
import { Heading } from "../../parts/layout.tsx";
import { type PersonContext, signedInPage, type View } from "../../request/route.ts";

/** The keyboard shortcuts of the page script (docs/contract.md#9.43.1), which also shows them as a sheet. */
export const shortcutPages = [signedInPage("GET", "/settings/shortcuts", (ctx) => shortcutsView(ctx))];

type Shortcut = keyof LocaleMessages["shortcuts"]["keys"];

/** The keys that assets/scripts/shortcuts.js handles. Two keys are pressed one after the other. */
const GROUPS: Readonly<
  Record<keyof LocaleMessages["shortcuts"]["groups"], readonly (readonly [Shortcut, ...string[]])[]>
> = {
  posts: [
    ["next", "j"],
    ["previous", "k"],
    ["open", "o"],
    ["like", "l"],
    ["bookmark", "b"],
    ["reply", "r"],
  ],
  any: [
    ["search", "/"],
    ["write", "n"],
    ["feed", "g", "f"],
    ["jobs", "g", "j"],
    ["prompts", "g", "p"],
    ["messages", "g", "m"],
    ["notifications", "g", "n"],
    ["sheet", "?"],
  ],
};

function shortcutsView(ctx: PersonContext): View {
  const { title, lead, close, script } = ctx.messages.shortcuts;
  return {
    title,
    section: "shortcuts",
    body: (
      <>
        <Heading title={title}>
          <p>{lead}</p>
        </Heading>
        <noscript>
          <p class="hint">{script}</p>
        </noscript>
        <Shortcuts ctx={ctx} />
      </>
    ),
    fragment: () => (
      <dialog class="sheet" closedby="any" aria-labelledby="sheet-title">
        <form method="dialog" class="heading">
          <h2 id="sheet-title">{title}</h2>
          <button class="button quiet">{close}</button>
        </form>
        <Shortcuts ctx={ctx} />
      </dialog>
    ),
  };
}

/** The list of keys, and the script's choice to turn them off. */
function Shortcuts({ ctx }: { ctx: PersonContext }) {
  const messages = ctx.messages.shortcuts;
  return (
    <>
      <label class="choice" data-shortcuts hidden>
        <input type="checkbox" />
        <span>{messages.use}</span>
      </label>
      <div class="shortcuts">
        {(["posts", "any"] as const).map((group) => (
          <section>
            <h2>{messages.groups[group]}</h2>
            <dl>
              {GROUPS[group].map(([shortcut, first, second]) => (
                <div>
                  <dt>{messages.keys[shortcut]}</dt>
                  <dd>
                    <kbd safe>{first}</kbd>
                    {second === undefined ? (
                      ""
                    ) : (
                      <>
                        {" "}
                        <small>{messages.then}</small> <kbd safe>{second}</kbd>
                      </>
                    )}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </>
  );
}
