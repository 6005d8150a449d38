import names from "../../data/seed/names.json";
import { deck } from "./shuffled-deck.ts";
import { mix } from "./random.ts";

export interface Person {
  name: string;
  username: string;
}

/**
 * Returns a function that names builder `index` of a community with this seed. Names and usernames are unique
 * while there are fewer people than pairs of first and last names. After that, names repeat and usernames get
 * a number. Most pairs have one origin, and about one in six combines two.
 */
export function people(seed: number): (index: number) => Person {
  const own = deck(familiar.length, mix(seed, 11, 0));
  const crossed = deck(unusual.length, mix(seed, 11, 1));
  const groups = Math.floor(familiar.length / 5);
  return (index) => {
    const lap = Math.floor(index / pairs);
    const at = index % pairs;
    const group = Math.floor(at / 6);
    const place = at % 6;
    const inGroups = group < groups;
    const pair = inGroups && place < 5 ? familiar[own(group * 5 + place)] : undefined;
    const code = pair ?? unusual[crossed(inGroups ? group : at - groups * 5)] ?? 0;
    return { name: fullName(code), username: handle(code) + suffix(lap, code) };
  };
}

interface Name {
  shown: string;
  plain: string;
  origin: string;
}

/** Letters that Unicode does not decompose into a plain letter and an accent. */
const lookalikes: Record<string, string> = { ł: "l", ø: "o", đ: "d", ı: "i", ß: "ss", æ: "ae" };

const firstNames = names.flatMap(({ origin, first }) => first.map((shown) => named(shown, origin)));
const lastNames = names.flatMap(({ origin, last }) => last.map((shown) => named(shown, origin)));

/** A pair is encoded as one number: first name times the number of last names, plus last name. */
const familiar: number[] = [];
const unusual: number[] = [];
firstNames.forEach((first, row) => {
  lastNames.forEach((last, column) => {
    (first.origin === last.origin ? familiar : unusual).push(row * lastNames.length + column);
  });
});

/**
 * Number of pairs that are used before names repeat. Groups of six come first (five familiar pairs and one
 * unusual), then the remaining unusual pairs.
 */
const pairs = Math.floor(familiar.length / 5) * 5 + unusual.length;

/** Suffixes for usernames without a last name. */
const nicknames = (
  "builds codes writes ships labs dev makes tinkers hq online works studio reads draws solders " +
  "walks otter fern north tea lark moss pine river comet pixel harbour maple fox kite"
).split(" ");

function fullName(code: number): string {
  return nameOf(firstNames, code, true).shown + " " + nameOf(lastNames, code, false).shown;
}

/**
 * Returns the username of a pair, without a number. The result does not depend on the seed. Usernames of
 * different styles never collide. No word is both a first and a last name. Each nickname is used with one
 * last name only. A test checks the usernames without a separator.
 */
function handle(code: number): string {
  const first = nameOf(firstNames, code, true).plain;
  const last = nameOf(lastNames, code, false).plain;
  // For each first name, one last name is assigned to each personal style, so that each style is used once.
  const row = Math.floor(code / lastNames.length);
  const round = (code + row * 36) % lastNames.length;
  if (round === 0) return first;
  if (round <= nicknames.length) return first + "-" + nicknames[round - 1];
  if (round <= 2 * nicknames.length) return first + "_" + nicknames[round - nicknames.length - 1];
  switch (mix(code, 5, 9) % 8) {
    case 0:
    case 1:
      return first + last;
    case 2:
      return first + "_" + last;
    case 3:
      return last + "-" + first;
    default:
      return first + "-" + last;
  }
}

/**
 * Returns a number that keeps usernames unique when names repeat. The number has two digits and looks chosen
 * rather than counted. From the 91st repetition on, it has three digits or more.
 */
function suffix(lap: number, code: number): string {
  if (lap === 0) return "";
  if (lap > 90) return String(lap + 9);
  return String(10 + ((lap * 37 + mix(code, 5, 10)) % 90));
}

function nameOf(list: readonly Name[], code: number, isFirst: boolean): Name {
  const last = code % lastNames.length;
  const name = list[isFirst ? (code - last) / lastNames.length : last];
  if (name === undefined) throw new Error("no name for " + code);
  return name;
}

function named(shown: string, origin: string): Name {
  return { shown, plain: asciiOf(shown), origin };
}

/** Writes a name with the letters a to z only: “Łukasz” becomes “lukasz”, “de Graaf” becomes “degraaf”. */
function asciiOf(name: string): string {
  return name
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/[łøđıßæ]/g, (letter) => lookalikes[letter] ?? "")
    .replaceAll(/[^a-z]/g, "");
}
