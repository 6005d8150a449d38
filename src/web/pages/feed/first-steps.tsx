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
    return { to: "/" };
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

interface Steps {
  ctx: PageContext;
  steps: readonly FirstStep[];
}

/**
 * The first steps of a new member as a line above the posts that can be expanded. Shown if there is no
 * sidebar.
 */
export function StepsLine({ ctx, steps }: Steps) {
  const messages = ctx.messages.firstSteps;
  return (
    <details class="first-steps">
      <summary>
        {messages.title}{" "}
        <span>
          {messages.progress({ done: steps.filter(({ isDone }) => isDone).length, all: steps.length })}
        </span>
      </summary>
      <StepsList ctx={ctx} steps={steps} />
    </details>
  );
}

/** The first steps of a new member in the sidebar. */
export function StepsPart({ ctx, steps }: Steps) {
  return (
    <section class="first-steps">
      <h2>{ctx.messages.firstSteps.title}</h2>
      <StepsList ctx={ctx} steps={steps} />
    </section>
  );
}

function StepsList({ ctx, steps }: Steps) {
  return (
    <>
      <ol>
        {steps.map((each) => (
          <StepItem ctx={ctx} {...each} />
        ))}
      </ol>
      <Form action={`${HERE}/away`} ctx={ctx} kind="inline">
        <button class="link">{ctx.messages.firstSteps.dismiss}</button>
      </Form>
    </>
  );
}

function StepItem({ ctx, step, isDone }: FirstStep & { ctx: PageContext }) {
  const { firstSteps: messages } = ctx.messages;
  return (
    <li class={isDone ? "done" : undefined}>
      <span class={isDone ? "tick done" : "tick"} aria-hidden="true">
        {isDone ? "☑" : "☐"}
      </span>
      {step === "welcome" ? (
        <Form action={`${HERE}/welcome`} ctx={ctx} kind="inline">
          <button class="link">{messages.steps[step]}</button>
        </Form>
      ) : (
        <a href={STEP_LINKS[step]}>{messages.steps[step]}</a>
      )}
      {isDone ? <span class="unseen">{messages.done}</span> : ""}
    </li>
  );
}
