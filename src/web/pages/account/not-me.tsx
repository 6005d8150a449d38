/** @jsxImportSource @kitajs/html */
import { addedAccess } from "../../../locale/notification-text.ts";
import { reportUnknownAccess, peekUnknownAccess } from "../../../core/delegation/securing/securing.ts";
import { agentName } from "../../request/agent.ts";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Form, Submit } from "../../parts/parts.tsx";
import { field } from "../../request/forms.ts";
import { publicPage, type PageContext, type View } from "../../request/route.ts";

const HERE = "/mail/not-me";

/**
 * The page of the “this was not me” link in emails. A GET changes nothing, because mail servers open links to
 * check them.
 */
export const notMePages = [
  publicPage("GET", HERE, (ctx) => view(ctx)),
  publicPage("POST", HERE, async (ctx) => {
    const from = ctx.context.address();
    const recovery = await ctx.core.db.write(() =>
      reportUnknownAccess(ctx.core, field(ctx.form, "token"), from),
    );
    return { to: `/recover?token=${recovery}` };
  }),
];

function view(ctx: PageContext): View {
  const messages = ctx.messages.account.notMe;
  const token = ctx.query.get("token") ?? "";
  const { username, what, name, addedAt } = peekUnknownAccess(ctx.core, token);
  const shown = what === "sessions" ? agentName(ctx.messages, name) : name;
  return {
    title: messages.title,
    isPlain: true,
    body: (
      <>
        <Heading title={messages.title}>
          <p>
            {messages.lead({
              username: <bdi safe>{username}</bdi>,
              when: <Ago ctx={ctx} at={addedAt} />,
            })}
          </p>
        </Heading>
        <section class="part">
          <p>
            <strong safe>{addedAccess(ctx.messages, what)}</strong>
          </p>
          {shown !== "" && <p dir="auto">{messages.named({ name: <bdi safe>{shown}</bdi> })}</p>}
          <p>{messages.effect}</p>
          <Form action={HERE} ctx={ctx} kind="stack">
            <input type="hidden" name="token" value={token} />
            <Submit kind="danger">{messages.button}</Submit>
          </Form>
          <p class="hint below">{messages.keep}</p>
        </section>
      </>
    ),
  };
}
