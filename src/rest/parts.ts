import { Type } from "@sinclair/typebox";
import { Choice } from "../core/ground/check.ts";
import { ALL_EVENT_NAMES, EVENT_NAMES } from "../core/outbox/events/catalogue.ts";

/** What answers of several operations hold, each under a name, so that a generated client has one type for it. */

export const Person = Type.Object({ username: Type.String(), name: Type.String() }, { $id: "Author" });
/** docs/contract.md#V2.3 shows a prompt's author without a name. */
export const PromptAuthor = Type.Object({ username: Type.String() }, { $id: "PromptAuthor" });
export const ProfileProject = Type.Object(
  { id: Type.String(), title: Type.String() },
  { $id: "ProfileProject" },
);

export const Company = Type.Object({ name: Type.String(), slug: Type.String() }, { $id: "Company" });
export const Salary = Type.Object(
  { min: Type.Integer(), max: Type.Integer(), currency: Type.String() },
  { $id: "Salary", description: "Whole units of the currency, a year." },
);
export const SalaryFloor = Type.Object(
  { min: Type.Integer(), currency: Type.String() },
  { $id: "SalaryFloor", description: "At least so much, in whole units of the currency, a year." },
);

export const EventType = {
  ...Choice(ALL_EVENT_NAMES, "What happened; new types may come."),
  $id: "EventType",
};
export const SubscribedType = {
  ...Choice(EVENT_NAMES, "A type that endpoints subscribe to; new ones may come."),
  $id: "SubscribedEventType",
};
