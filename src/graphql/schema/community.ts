import {
  type Community,
  CommunityView,
  type Counts,
  CountsView,
  getCommunity,
} from "../../core/services/community-settings/community.ts";
import { JOININGS, READINGS } from "../../core/base/db/schema-community.ts";
import { LANGUAGES } from "../../core/base/locales.ts";
import { builder } from "../builder.ts";
import { enumOf } from "../inputs.ts";
import { output } from "../outputs.ts";

enumOf("Reading", READINGS, "The people who can read a community.", {
  everybody: "Everyone.",
  members: "Only members.",
});
enumOf("Joining", JOININGS, "The way to join a community.", {
  open: "Anyone can create an account.",
  approval: "Anyone can send a join request, and an admin approves it.",
  invite: "Only with an invitation link.",
  closed: "Nobody can join.",
});
enumOf("Language", LANGUAGES, "A language of the interface.");

output<Counts>(
  "CommunityCounts",
  CountsView,
  "The size of the community. The numbers can be a few minutes old.",
);
const CommunityRef = output<Community>("Community", CommunityView, "The community and its settings.");

builder.queryFields((t) => ({
  community: t.field({
    type: CommunityRef,
    description: "The name, rules, sign-up policy, and size of the community.",
    resolve: (_root, _args, { core, caller }) => getCommunity(core, caller),
  }),
}));
