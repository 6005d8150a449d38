/** @jsxImportSource @kitajs/html */
import {
  type FirstStep,
  goToWelcome,
  hideSteps,
  type Step,
} from "../../../core/services/first-steps/first-steps.ts";
import { Form } from "../../parts/parts.tsx";
import { type PageAsk, signedInPage } from "../../request/route.ts";

const HERE = "/settings/first-steps";

export const stepPages = [
  signedInPage("POST", `${HERE}/away`, async ({ core, person, write }) => {
    await write(() => hideSteps(core, person.caller));
    return { to: "/" };
  }),
  signedInPage("POST", `${HERE}/welcome`, async ({ core, person, write }) => ({
    to: await write(() => goToWelcome(core, person.caller)),
  })),
];

/** The link of each step. The welcome has a form, as the visit is recorded. */
const PLACES: Readonly<Record<Exclude<Step, "welcome">, string>> = {
  community: "/admin/community",
  invite: "/admin/invites",
  post: "#text",
  profile: "/settings/profile",
  hello: "#text",
};

interface Steps {
  ask: PageAsk;
  steps: readonly FirstStep[];
}

/** The first steps of a new member as one line above the posts, which opens. Shown where there is no sidebar. */
export function StepsLine({ ask, steps }: Steps) {
  const words = ask.words.firstSteps;
  return (
    <details class="first-steps">
      <summary>
        {words.title}{" "}
        <span>
          {words.progress({ done: steps.filter(({ isDone }) => isDone).length, all: steps.length })}
        </span>
      </summary>
      <StepsList ask={ask} steps={steps} />
    </details>
  );
}

/** The first steps of a new member in the sidebar. */
export function StepsPart({ ask, steps }: Steps) {
  return (
    <section class="first-steps">
      <h2>{ask.words.firstSteps.title}</h2>
      <StepsList ask={ask} steps={steps} />
    </section>
  );
}

function StepsList({ ask, steps }: Steps) {
  return (
    <>
      <ol>
        {steps.map((each) => (
          <OneStep ask={ask} {...each} />
        ))}
      </ol>
      <Form action={`${HERE}/away`} ask={ask} kind="inline">
        <button class="link">{ask.words.firstSteps.dismiss}</button>
      </Form>
    </>
  );
}

function OneStep({ ask, step, isDone }: FirstStep & { ask: PageAsk }) {
  const { firstSteps: words } = ask.words;
  return (
    <li class={isDone ? "done" : undefined}>
      <span class={isDone ? "tick done" : "tick"} aria-hidden="true">
        {isDone ? "☑" : "☐"}
      </span>
      {step === "welcome" ? (
        <Form action={`${HERE}/welcome`} ask={ask} kind="inline">
          <button class="link">{words.steps[step]}</button>
        </Form>
      ) : (
        <a href={PLACES[step]}>{words.steps[step]}</a>
      )}
      {isDone ? <span class="unseen">{words.done}</span> : ""}
    </li>
  );
}
