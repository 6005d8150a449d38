import { type Static, Type } from "@sinclair/typebox";
import { ruled, Text } from "../../base/check.ts";
import { Id, orNull, DisplayText, Timestamp } from "../../base/view.ts";
import { EVENT_NAMES, SubscribedTypeView } from "../events/catalogue.ts";
import { type Condition, DisabledView, HealthView } from "./health.ts";

export const AppView = Type.Object({
  id: Type.String({ description: "The identifier of the app." }),
  name: Type.String({ description: "The name of the app." }),
});
export const OwnerView = Type.Object(
  {
    username: orNull(Type.String(), {
      description: "The username of the builder who set the `url`. `null` if their account is gone.",
      examples: ["ada"],
    }),
    app: orNull(AppView, {
      description:
        "The app that set the `url` on behalf of this builder. The endpoint is deleted when the app loses its access. `null` if no app set the `url`.",
      examples: [null],
    }),
  },
  { $id: "WebhookOwner", description: "The owner of the endpoint." },
);

/** An endpoint as its workspace sees it. */
export const EndpointView = Type.Object(
  {
    id: Id("whe_01kafzq8e5f2r8v0j3n6s1t4wx", "The identifier of the endpoint."),
    url: Type.String({
      format: "uri",
      description: "The URL that receives deliveries.",
      examples: ["https://hooks.example.com/guildhall"],
    }),
    events: Type.Array(SubscribedTypeView, {
      description: "The event types that the endpoint subscribes to.",
    }),
    createdAt: Timestamp({ description: "The time at which the endpoint was registered." }),
    disabled: orNull(DisabledView, {
      description: "When and why the endpoint was disabled. `null` if the endpoint is not disabled.",
      examples: [null],
    }),
    owner: OwnerView,
    health: HealthView,
  },
  { $id: "WebhookEndpointDetail" },
);

/** The signing secret, which is shown once. */
export const SecretView = Type.Object({
  secret: DisplayText(
    "The signing secret: `whsec_` and 32 bytes in base64. Shown only once.",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
  ),
});

export interface Endpoint extends Static<typeof EndpointView> {
  disabled: Condition["disabled"];
  /**
   * The builder who set the URL, and the app or the token that the builder used. `app` is null if the builder
   * used no app, and `tokenId` is null if the builder used no token. A field is also null if the builder, app
   * or token no longer exists.
   */
  owner: {
    username: string | null;
    app: { id: string; name: string; grantId: string } | null;
    tokenId: string | null;
  };
}

/**
 * Maximum number of endpoints of a workspace. The list of endpoints is not paged (docs/contract.md#V4.13: no
 * `next`).
 */
export const ENDPOINTS_MAX = 50;

const Url = {
  ...Text({
    max: 2048,
    description:
      "The `https://` URL that receives deliveries. URLs that lead to private or special IP addresses are refused.",
    examples: ["https://hooks.example.com/guildhall"],
  }),
  // `format` is only for the API document. An invalid URL gets a separate refusal (422).
  format: "uri",
};
const Events = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: 20,
  description: `The event types to receive: ${EVENT_NAMES.join(", ")}.`,
  examples: [["post.created"]],
});

export const EndpointDraft = Type.Object({ url: Url, events: Events });
export type EndpointDraft = Static<typeof EndpointDraft>;

export const EndpointChange = Type.Object({
  url: Type.Optional(Url),
  events: Type.Optional(Events),
  enabled: Type.Optional(
    Type.Boolean({
      description: "`false` stops deliveries and keeps the waiting ones. `true` resumes deliveries.",
      examples: [false],
      ...ruled("not_boolean"),
    }),
  ),
});
export type EndpointChange = Static<typeof EndpointChange>;
