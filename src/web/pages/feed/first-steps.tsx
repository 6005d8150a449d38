/** @jsxImportSource @kitajs/html */
import {
  type FirstStep,
  openWelcome,
  hideSteps,
  type Step,
} from "../../../core/services/first-steps/first-steps.ts";
import { Form } from "../../parts/parts.tsx";
import { type PageContext, signedInPage } from "../../request/route.ts";

const HERE = "/settings/first-steps";

export const stepPages = [
  signedInPage("POST", `${HERE}/away`, async ({ core, person, write }) => {
    await write(() => hideSteps(core, person.caller));
    return { to: "/", fragment: () => "" };
  }),
  signedInPage("POST", `${HERE}/welcome`, async ({ core, person, write }) => ({
    to: await write(() => openWelcome(core, person.caller)),
  })),
];

/** The link of each step. The welcome step has a form, because the visit is recorded. */
const STEP_LINKS: Readonly<Record<Exclude<Step, "welcome">, string>> = {
  community: "/admin/community",
  invite: "/admin/invites",
  post: "#text",
  profile: "/settings/profile",
  hello: "#text",
};

/** The first steps of a new member, above the form for a new post. */
export function StepsPanel({ ctx, steps }: { ctx: PageContext; steps: readonly FirstStep[] }) {
  const messages = ctx.messages.firstSteps;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <section class="first-steps" aria-labelledby="first-steps">
      <div class="steps-head">
        <h2 id="first-steps">{messages.title}</h2>
        {done > 0 ? <p>{messages.progress({ done, all: steps.length })}</p> : ""}
        <Form action={`${HERE}/away`} ctx={ctx} kind="inline" inPlace=".first-steps">
          <button class="link">{messages.dismiss}</button>
        </Form>
      </div>
      <ol>
        {steps.map((each) => (
          <StepItem ctx={ctx} {...each} />
        ))}
      </ol>
    </section>
  );
}

function StepItem({ ctx, step, isDone }: FirstStep & { ctx: PageContext }) {
  const { firstSteps: messages } = ctx.messages;
  return (
    <li class={isDone ? "done" : undefined}>
      <span class="step-tick" aria-hidden="true" />
      <div>
        {step === "welcome" ? (
          <Form action={`${HERE}/welcome`} ctx={ctx} kind="inline">
            <button class="link">{messages.steps[step]}</button>
          </Form>
        ) : (
          <a href={STEP_LINKS[step]}>{messages.steps[step]}</a>
        )}
        {isDone ? <span class="unseen">{messages.done}</span> : <p>{messages.hints[step]}</p>}
      </div>
    </li>
  );
}
