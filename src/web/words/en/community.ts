import { decimal, number, plural } from "./forms.ts";

/** The community's own face: what it says of itself, and where that is changed. */
export const community = {
  about: {
    title: "About",
    rules: "Rules",
    joinTitle: "How to join",
    join: {
      open: "Anybody may join: [make an account](/sign-up).",
      approval: "[Ask to join](/sign-up): those who run this community look at who asks, and let them in.",
      invite:
        "By invitation: ask those who run this community for a link. It leads to where you make your account.",
      closed: "Nobody can join at the moment.",
    },
    forMembers: "What is written here is for members. [Sign in](/sign-in) if you are one.",
    stewards: "Who runs it",
    roles: { owner: "Owner", admin: "Admin", moderator: "Moderator", member: "Member" },
    contactTitle: "Contact",
    counts: {
      members: (count: number) => plural(count, { one: "1 member", other: "{n} members" }),
      active: (count: number) => `${number(count)} here within the last month`,
      posts: (count: number) => plural(count, { one: "1 post", other: "{n} posts" }),
      replies: (count: number) => plural(count, { one: "1 reply", other: "{n} replies" }),
      jobs: (count: number) => plural(count, { one: "1 job", other: "{n} jobs" }),
      prompts: (count: number) => plural(count, { one: "1 prompt", other: "{n} prompts" }),
    },
  },
  admin: {
    title: "Community",
    lead: "What the community says of itself. Each part is saved by itself and holds from the next page that anybody opens; what is left empty is as the server’s settings have it.",
    save: "Save",
    sections: {
      name: "Its name",
      look: "Its colour",
      texts: "Welcome and rules",
      doors: "Who reads, who joins",
      place: "Language and time",
      newcomers: "Newcomers",
    },
    name: "Name",
    nameHint:
      "Stands at the head of every page, in mails and wherever apps ask for access; at most 40 letters.",
    line: "In one line",
    lineHint: "What this is, for somebody who has never heard of it; stands below the name.",
    contact: "Contact",
    contactHint:
      "A mail address, or an address of the web that begins with https://; everybody sees it on “About”.",
    accent: "Accent colour",
    accentHint: "Of links and buttons, as # and six digits; for dark pages a lighter tone is made of it.",
    welcome: "Welcome",
    welcomeHint: "What strangers read first on “About”. Markdown.",
    rules: "Rules",
    rulesHint: "How people are with each other here; whoever joins agrees to them first. Markdown.",
    reading: "Who may read",
    readings: {
      everybody: {
        words: "Everybody",
        hint: "Feed, jobs, prompts and profiles are open, and search engines find them.",
      },
      members: {
        words: "Members alone",
        hint: "Strangers see the form to sign in and “About”, and nothing else.",
      },
    },
    joining: "Who may join",
    joinings: {
      open: { words: "Anybody", hint: "Whoever comes makes an account." },
      approval: { words: "Anybody you let in", hint: "Whoever comes asks, and waits until you have looked." },
      invite: { words: "Whoever has a link", hint: "You invite people under “Invites”." },
      closed: { words: "Nobody", hint: "No new account is made, not even by a link." },
    },
    front: "What strangers see first",
    fronts: {
      feed: { words: "The feed", hint: "What was said last." },
      about: { words: "“About”", hint: "What this place is, and how to join." },
    },
    language: "Language",
    languageHint:
      "What whoever has chosen none is spoken to in, if their browser asks for no other one of these.",
    zone: "Time zone",
    zoneHint: "In which times are told to strangers, such as Europe/Berlin.",
    days: "Days as a newcomer",
    daysHint:
      "For so many days somebody new may send few links, pictures and messages (0 to 90; 0 is no limit).",
    post: "First post to read",
    postHint: "The address of a post that newcomers are shown first; empty for none.",
    logo: "Logo",
    noLogo: "There is none: the seal stands in its place.",
    logoFile: "A picture",
    logoHint:
      "JPEG, PNG, WebP or GIF; it is drawn anew, and stands beside the name, about as high as a line of text.",
    saveLogo: "Save the logo",
    removeLogo: "Take the logo away",
    preview: {
      day: "By day",
      night: "By night",
      link: "A link",
      button: "A button",
      least: (ratio: number) => `contrast at least ${decimal(ratio, 1)} to 1`,
      faint: (near: string) => `Too light to be read by day: ${near} is near it, and dark enough.`,
    },
  },
};
