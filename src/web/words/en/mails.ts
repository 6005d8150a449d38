import { plural } from "./forms.ts";

/** What goes out by mail, in plain text: nothing of it is a link or markup. */
export const mails = {
  confirm: {
    subject: (community: string) => `Your mail address at ${community}`,
    body: (username: string) =>
      `The account @${username} asks for its mail to be sent here. Open the link within a day to confirm it.`,
    button: "Confirm the address",
    ignore: "If you did not ask for this, do nothing: no mail will come.",
  },
  recovery: {
    subject: (community: string) => `A new password at ${community}`,
    body: (username: string) =>
      `Somebody asked for a way back into the account @${username}. The link sets a new password and works for an hour, once.`,
    button: "Set a new password",
    ignore: "If it was not you, do nothing: your password stays as it is.",
  },
  invitation: {
    subject: (community: string) => `You are invited to ${community}`,
    community: (inviter: string, community: string) => `${inviter} invites you to ${community}.`,
    workspace: (inviter: string, community: string) =>
      `${inviter} invites you to a workspace at ${community}. It opens once you have signed in there.`,
    /** Who invites where it is no member. */
    operator: "Its operator",
    until: (when: string) => `The link works until ${when}.`,
    button: "Look at the invitation",
    ignore: "If you do not know them, do nothing. Your address is not kept, and no other mail comes of this.",
  },
  applied: {
    subject: (community: string) => `Where the answer of ${community} goes`,
    body: (username: string) =>
      `Somebody asks to be let in as @${username} and wants the answer sent here. Confirm the address, and it comes.`,
    button: "Confirm the address",
    ignore: "If it was not you, do nothing: no other mail comes of this.",
  },
  answered: {
    subject: (community: string) => `The answer of ${community}`,
    approved: (username: string) => `You are in, as @${username}. Sign in with the password that you chose.`,
    declined: "Those who run the community did not let you in.",
    word: "They say:",
    button: "Sign in",
  },
  moved: {
    subject: (community: string) => `Your mail address at ${community} was changed`,
    body: (username: string) =>
      `Mail of the account @${username} no longer goes to this address. If this was not you, sign in and secure your account, or ask those who run the community.`,
  },
  /** In mails about something that gives access to the account. */
  notMe: {
    lead: "If this was not you, open the link “This was not me”. Opening it changes nothing yet.",
    button: "This was not me",
    foot: "You get this mail whenever something that gives access to your account is added.",
  },
  notification: { foot: "You have set this kind of notification to mail." },
  digest: {
    subject: (community: string, count: number) =>
      `${community}: ${plural(count, { one: "1 notification", other: "{n} notifications" })}`,
    body: "While you were away:",
    more: (count: number) => `${plural(count, { one: "1 more", other: "{n} more" })}`,
  },
  end: "End these mails",
  foot: (community: string, origin: string) => `${community}, ${origin}`,
};
