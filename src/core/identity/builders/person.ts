import { Type } from "@sinclair/typebox";
import { Shown } from "../../ground/view.ts";

/** A builder as what they wrote shows them. */
export const PersonView = Type.Object(
  { username: Shown("Their handle.", "ada"), name: Shown("What they are called.", "Ada Okafor") },
  { $id: "Author" },
);

/** Names a builder in an address. */
export const USERNAME = {
  name: "username",
  description: "The builder's handle without a leading @, in any case.",
  example: "ada",
};
