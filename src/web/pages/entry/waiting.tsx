/** @jsxImportSource @kitajs/html */
import {
  applicationBySecret,
  type OwnApplication,
  withdrawApplication,
} from "../../../core/identity/applications/applications.ts";
import { Heading, messageView } from "../../parts/layout.tsx";
import { Ago, Button, Form } from "../../parts/parts.tsx";
import { publicPage, type PageContext, type View } from "../../request/route.ts";
import { applicantSecretOf, redirectWithdrawn } from "../../request/session-cookies.ts";

const HERE = "/sign-up/waiting";

/** The page of an applicant who is not admitted yet (docs/contract.md#9.16). */
export const waitingPages = [
  publicPage("GET", HERE, (ctx) => (ctx.person ? { to: "/" } : waitingView(ctx))),
  publicPage("POST", `${HERE}/withdraw`, async (ctx) => {
    await ctx.write(() => withdrawApplication(ctx.core, applicantSecretOf(ctx)));
    return redirectWithdrawn(ctx, "/sign-up", "application-withdrawn");
  }),
];

function waitingView(ctx: PageContext): View {
  const messages = ctx.messages.entry.waiting;
  const signIn = { href: "/sign-in", label: ctx.messages.entry.signIn.title };
  const application = applicationBySecret(ctx.core, applicantSecretOf(ctx));
  if (!application) return messageView(messages.nothingTitle, messages.nothing, signIn);
  const { state, username, why, createdAt, mail, mailIsSure } = application;
  const isWaiting = state === "waiting";
  const title = {
    waiting: messages.title,
    approved: messages.approvedTitle,
    declined: messages.declinedTitle,
  }[state];
  return {
    title,
    isPlain: true,
    body: (
      <>
        <Heading title={title}>
          {isWaiting ? (
            <p>
              {messages.since({
                when: <Ago ctx={ctx} at={createdAt} />,
                username: <bdi safe>{`@${username}`}</bdi>,
              })}
            </p>
          ) : (
            <p>{messages[state]}</p>
          )}
        </Heading>
        {isWaiting ? (
          <ApplicationText title={messages.yours} text={why} />
        ) : (
          <ApplicationText title={messages.theirs} text={application.word} />
        )}
        {isWaiting && mail !== null ? (
          <p class="hint">
            {(mailIsSure ? messages.mailGoes : messages.mailUnsure)({ address: <bdi safe>{mail}</bdi> })}
          </p>
        ) : (
          ""
        )}
        {isWaiting ? <p class="hint">{messages.later}</p> : ""}
        {state === "approved" ? (
          <p>
            <a class="button primary" href={signIn.href}>
              {signIn.label}
            </a>
          </p>
        ) : (
          <Form action={`${HERE}/withdraw`} ctx={ctx} kind="below">
            <Button kind="quiet">{isWaiting ? messages.withdraw : messages.forget}</Button>
          </Form>
        )}
      </>
    ),
  };
}

/** The text of the application, as it was sent. */
function ApplicationText({ title, text }: { title: string; text: OwnApplication["word"] }) {
  if (text === "") return "";
  return (
    <section class="part">
      <h2 safe>{title}</h2>
      <p class="reason" dir="auto" safe>
        {text}
      </p>
    </section>
  );
}
