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

enumOf("Reading", READINGS, "Who reads a community.", {
  everybody: "Whoever comes by.",
  members: "Its members alone.",
});
enumOf("Joining", JOININGS, "How one joins a community.", {
  open: "Anybody makes an account.",
  approval: "Whoever asks, once those who run it have said yes.",
  invite: "Whoever has a link.",
  closed: "Nobody.",
});
enumOf("Language", LANGUAGES, "What is spoken.");

output<Counts>("CommunityCounts", CountsView, "How large the community is, as of some minutes ago.");
const CommunityRef = output<Community>("Community", CommunityView, "What the community says of itself.");

builder.queryFields((t) => ({
  community: t.field({
    type: CommunityRef,
    description: "What the community says of itself: its name, its rules, how one joins, how large it is.",
    resolve: (_root, _args, { core, caller }) => getCommunity(core, caller),
  }),
}));
