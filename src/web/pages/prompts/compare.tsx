/** @jsxImportSource @kitajs/html */
import { getPrompt, type Prompt } from "../../../core/community/prompts/prompts.ts";
import { getVersion, type PromptVersion } from "../../../core/community/prompts/versions.ts";
import { refuse } from "../../../core/base/errors.ts";
import { Differences } from "../../parts/differences.tsx";
import { Heading } from "../../parts/layout.tsx";
import { Button, Select } from "../../parts/parts.tsx";
import { readerOf } from "../../request/paging.ts";
import { readerPage, type PageContext, type View } from "../../request/route.ts";

/** The differences between two versions of a prompt. */
export const comparePages = [readerPage("GET", "/prompts/:id/compare", (ctx) => compareView(ctx))];

function compareView(ctx: PageContext): View {
  const reader = readerOf(ctx);
  const prompt = getPrompt(ctx.core, reader, ctx.params["id"] ?? "");
  const to = numberOf(ctx, "to") ?? prompt.version;
  const from = numberOf(ctx, "from") ?? Math.max(1, to - 1);
  const [before, after] = [from, to].map((number) => getVersion(ctx.core, reader, prompt.id, number)) as [
    PromptVersion,
    PromptVersion,
  ];
  const messages = ctx.messages.prompts.compare;
  const title = messages.title({ from, to });
  return {
    title,
    body: (
      <>
        <Heading title={title}>
          <p>
            <a href={`/prompts/${prompt.id}`}>
              <bdi safe>{prompt.title}</bdi>
            </a>
          </p>
          <p>{messages.lead}</p>
        </Heading>
        <Choice prompt={prompt} from={from} to={to} ctx={ctx} />
        {after.note === "" ? (
          ""
        ) : (
          <p class="part" dir="auto" safe>
            {after.note}
          </p>
        )}
        {(["title", "model"] as const).map((part) =>
          before[part] === after[part] ? (
            ""
          ) : (
            <section class="part">
              <h2>{messages.parts[part]}</h2>
              <Differences before={before[part]} after={after[part]} />
            </section>
          ),
        )}
        <section class="part">
          <h2>{messages.parts.body}</h2>
          {before.body === after.body && <p class="hint">{messages.same}</p>}
          <Differences before={before.body} after={after.body} />
        </section>
      </>
    ),
  };
}

/** Returns a version number, or undefined if it is missing. Throws not_found if it is malformed. */
function numberOf({ query }: PageContext, name: string): number | undefined {
  const versionParam = query.get(name);
  if (versionParam === null || versionParam === "") return undefined;
  if (!/^[1-9]\d{0,5}$/.test(versionParam)) throw refuse("version_unknown");
  return Number(versionParam);
}

function Choice({ prompt, from, to, ctx }: { prompt: Prompt; from: number; to: number; ctx: PageContext }) {
  const messages = ctx.messages.prompts;
  const options = (chosen: number) =>
    Array.from({ length: prompt.version }, (_, i) => ({
      value: String(i + 1),
      words: messages.versions.version({ version: i + 1 }),
      isOn: i + 1 === chosen,
    }));
  return (
    <form class="pair choice" action={`/prompts/${prompt.id}/compare`} aria-label={messages.compare.choose}>
      <Select name="from" label={messages.compare.from} options={options(from)} />
      <Select name="to" label={messages.compare.to} options={options(to)} />
      <Button kind="quiet">{messages.compare.show}</Button>
    </form>
  );
}
