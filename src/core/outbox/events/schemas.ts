import { type TObject, Type } from "@sinclair/typebox";
import { ALL_EVENT_NAMES, type AnyEventType, CATALOGUE } from "./catalogue.ts";

/** JSON Schema of each event type: the envelope (docs/contract.md#V6.6) with the payload of the type. */
export const EVENT_SCHEMAS = Object.fromEntries(
  ALL_EVENT_NAMES.map((type) => [type, schemaOf(type)]),
) as Readonly<Record<AnyEventType, TObject>>;

function schemaOf(type: AnyEventType): TObject {
  const { data, when } = CATALOGUE[type];
  return Type.Object(
    {
      id: Type.String({
        description:
          "The identifier of the event. Every delivery attempt has the same identifier, so you can detect duplicates.",
        pattern: "^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$",
      }),
      type: Type.Literal(type, { description: "The type of the event." }),
      created_at: Type.String({
        format: "date-time",
        description: "The time of the event, in UTC with milliseconds and `Z`.",
      }),
      data: { ...data, description: "The payload of the event." },
    },
    { $id: `${pascal(type)}Event`, description: `Fires when ${when}.` },
  );
}

/** Converts a type such as `post.created` to `PostCreated`, for names that cannot contain dots. */
export function pascal(type: AnyEventType): string {
  return type
    .split(/[._]/)
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join("");
}
