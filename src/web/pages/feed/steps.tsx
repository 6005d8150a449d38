/** @jsxImportSource @kitajs/html */
import {
  firstSteps,
  type FirstStep,
  goToWelcome,
  putStepsAway,
  type Step,
} from "../../../core/across/first-steps/first-steps.ts";
import { Form } from "../../parts/parts.tsx";
import { type PageAsk, personal } from "../../request/route.ts";

const HERE = "/settings/first-steps";

export const stepPages = [
  personal("POST", `${HERE}/away`, async ({ core, person, write }) => {
    await write(() => putStepsAway(core, person.caller));
    return { to: "/" };
  }),
  personal("POST", `${HERE}/welcome`, async ({ core, person, write }) => ({
    to: await write(() => goToWelcome(core, person.caller)),
  })),
];

/** Where each is done; the welcome has a form, as going there is noted. */
const PLACES: Readonly<Record<Exclude<Step, "welcome">, string>> = {
  community: "/admin/community",
  invite: "/admin/invites",
  post: "#text",
  profile: "/settings/profile",
  hello: "#text",
};

/** What to begin with, for whoever is new: behind the first post, and never in its way. */
export function FirstSteps({ ask }: { ask: PageAsk }) {
  const steps = ask.person && firstSteps(ask.core, ask.person.caller);
  if (!steps) return "";
  const words = ask.words.steps;
  return (
    <section class="first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps">{words.title}</h2>
      <ol>
        {steps.map((each) => (
          <OneStep ask={ask} {...each} />
        ))}
      </ol>
      <Form action={`${HERE}/away`} token={ask.formToken} kind="inline">
        <button class="link">{words.away}</button>
      </Form>
    </section>
  );
}

function OneStep({ ask, step, isDone }: FirstStep & { ask: PageAsk }) {
  const { steps: words } = ask.words;
  return (
    <li class={isDone ? "done" : undefined}>
      <span class={isDone ? "tick done" : "tick"} aria-hidden="true">
        {isDone ? "☑" : "☐"}
      </span>
      {step === "welcome" ? (
        <Form action={`${HERE}/welcome`} token={ask.formToken} kind="inline">
          <button class="link">{words.of[step]}</button>
        </Form>
      ) : (
        <a href={PLACES[step]}>{words.of[step]}</a>
      )}
      {isDone ? <span class="unseen">{words.done}</span> : ""}
    </li>
  );
}
