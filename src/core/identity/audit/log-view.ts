import { Type } from "@sinclair/typebox";
import { DisplayText, orNull, Timestamp } from "../../base/view.ts";

/** Filters and entries of the moderation log, as clients of the API see them. */

export const LogFilterView = Type.Object({
  actor: Type.Optional(Type.String({ description: "Return only acts of this member, by username." })),
  subject: Type.Optional(Type.String({ description: "Return only acts about this member, by username." })),
  act: Type.Optional(Type.String({ description: "Return only this act.", examples: ["builder.suspended"] })),
  day: Type.Optional(
    Type.String({ description: "Return only acts of this day in UTC.", examples: ["2026-11-20"] }),
  ),
});

export const LogEntryView = Type.Object(
  {
    act: DisplayText("The act.", "builder.suspended"),
    words: DisplayText("The act as a sentence.", "The account was suspended."),
    actor: orNull(Type.String(), {
      description: "The username of the actor. `null` for the operator.",
      examples: ["mod"],
    }),
    subject: orNull(Type.String(), {
      description: "The username of the member concerned. `null` without a member.",
      examples: ["mallory"],
    }),
    createdAt: Timestamp({ description: "The time of the act." }),
  },
  { $id: "ModerationLogEntry" },
);
