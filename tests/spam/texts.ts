/*
 * Texts of honest newcomers and of spammers, composed from parts. People do not write equal introductions,
 * and a spammer with a list of phrases does not send equal advertisements.
 */

/** Draws a part from a list. */
export type Pick = (words: readonly string[]) => string;

const WHO = [
  "I write firmware for lifts",
  "I teach physics and write small simulations",
  "I maintain the site of our bakery",
  "I have done PHP for ten years",
  "I am a nurse who automates rosters",
  "I test payment terminals",
  "I draw maps for hiking clubs",
  "I run the servers of a small theatre",
  "I make games with my daughter",
  "I moved from Java to Rust last year",
  "I am in my first year as a developer",
  "I keep bees and count them with a camera",
  "I design fonts for old screens",
  "I fix synthesisers at night",
  "I analyse soil samples for farmers",
  "I look after a library's catalogue",
  "I translate subtitles and the tools for them",
  "I build racing simulators from scrap",
  "I write compilers for fun",
  "I do accessibility reviews for councils",
];
const DOING = [
  "moved our database to Postgres",
  "deleted four thousand lines of old code",
  "wrote a parser for bus timetables",
  "replaced a cron job with a queue",
  "found out why our tests were slow",
  "printed a case for a weather station",
  "got the first page under one second",
  "read a book about type systems",
  "rewrote the importer for the third time",
  "paired with a colleague on the sign-in form",
  "ported a driver to another board",
  "gave a talk about backups",
  "drew the icons for our next release",
  "learned how SQLite plans a query",
  "broke the build and repaired it",
  "set up a mirror for our packages",
  "measured the heat of my attic",
  "built a small search for recipes",
  "found a race in our scheduler",
  "wrote down how we review code",
];
const ASKING = [
  "How do you name branches?",
  "Does anyone here use event sourcing at this size?",
  "I would like to see how you test old code.",
  "Feedback is welcome, also the harsh kind.",
  "Who else works alone and misses reviews?",
  "What should I read about indexes?",
  "Happy to show the code to anyone who asks.",
  "Is there a meeting in the north?",
  "I look for somebody to learn with.",
  "What do you do on the first day of a project?",
  "Tell me which editor I should try.",
  "Next I want to understand caching.",
  "I can help with CSS in return.",
  "Which licence do you choose, and why?",
  "My next step is a proper deployment.",
];
const GREETING = ["Hello!", "Hi all,", "Good morning.", "New here.", "Hey,", "First post.", "Servus!", ""];
const WHEN = [
  "This week I",
  "Yesterday I",
  "In spring I",
  "After months of delay I",
  "Last night I",
  "Today I",
];

/** Few people write almost nothing. */
const SHORT = ["Hello everyone!", "Hi, glad to be here", "Hello from Leeds", "Just looking around for now"];

/** Returns the first post of an honest newcomer. One in twelve is a greeting that others write, too. */
export function honestText(random: () => number): string {
  const pick = pickWith(random);
  if (random() < 1 / 12) return pick(SHORT);
  const parts = [pick(GREETING), `${pick(WHO)}.`, `${pick(WHEN)} ${pick(DOING)}.`, pick(ASKING)];
  return parts.filter((part) => part !== "").join(" ");
}

const LURE = [
  "Earn from home without experience",
  "Cheap watches of every brand",
  "Followers that look real",
  "Loans within an hour, also without papers",
  "The casino that pays at once",
  "Pills without a prescription",
  "Double your coins in a week",
  "Diplomas of every university",
  "Lose weight while you sleep",
  "Your stars say that money comes",
];
const PROOF = [
  "my cousin made 4,000 last month",
  "thousands of happy customers",
  "the first ten people pay half",
  "money back if you are not happy",
  "only today and only for this group",
  "no questions asked",
  "shipping is free worldwide",
  "I was poor before I tried it",
];
const CONTACT = [
  "Write to bestdeal{n} on Telegram",
  "Ask for agent {n} on WhatsApp",
  "Send me a message here and say {n}",
  "Search for the name deal{n} and write to us",
  "Call plus 44 and then {n}",
  "Visit deal{n}.example",
];
const SWAPS: readonly (readonly [RegExp, string])[] = [
  [/a/, "а"],
  [/e/, "3"],
  [/o/, "0"],
  [/i/, "1"],
];

/**
 * Returns an advertisement without a link. A third of the spammers copy one text with another number. The
 * others compose each text, and half of them also swap letters for others that look alike.
 */
export function plainSpam(random: () => number, spammer: number, n: number): string {
  const pick = pickWith(random);
  const number = `${spammer}${n}`;
  if (spammer % 3 === 0) return `${LURE[0]}, ${PROOF[0]}! ${CONTACT[0] ?? ""}`.replace("{n}", number);
  const text = `${pick(LURE)}, ${pick(PROOF)}! ${pick(CONTACT)}`.replace("{n}", number);
  if (spammer % 3 === 1) return text;
  return SWAPS.reduce(
    (changed, [letter, other]) => (random() < 0.5 ? changed.replace(letter, other) : changed),
    text,
  );
}

/** Returns an advertisement with two URLs of the spammer. A third of the spammers disguise them. */
export function linkSpam(random: () => number, spammer: number): string {
  const pick = pickWith(random);
  const [scheme, user] = spammer % 5 === 1 ? ["hxxps", "github.com@"] : ["https", ""];
  const urls = ["shop", "deal"].map((name) => `${scheme}://${user}${name}${spammer}.example/a`);
  return `${pick(LURE)}, ${pick(PROOF)}! ${urls.join(" ")}`;
}

/** Returns an advertisement with a link to a page of the spammer on a well-known host. */
export function knownHostSpam(random: () => number, spammer: number, n: number): string {
  const pick = pickWith(random);
  return `${pick(LURE)}, ${pick(PROOF)}! https://github.com/deal${spammer}/offer${n}`;
}

const PRAISE = ["Great thread", "So true", "This helped me a lot", "Interesting point", "Thanks for sharing"];
const CLAIM = ["I use", "my team saved hours with", "have you seen", "the best tool for this is", "compare"];

/** Returns a text that looks like an answer and links one host. */
export function slowSpam(random: () => number, spammer: number): string {
  const pick = pickWith(random);
  return `${pick(PRAISE)}! About that: ${pick(CLAIM)} https://slow${spammer}.example/`;
}

function pickWith(random: () => number): Pick {
  return (words) => words[Math.floor(random() * words.length)] ?? "";
}

/** Mulberry32, so that every run has the same texts. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
