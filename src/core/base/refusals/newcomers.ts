import type { Refusals } from "./refusals.ts";

/**
 * Refusals about the limits for new members, and about the settings of the brakes. `until` is the time when
 * the limit ends.
 */
export const NEWCOMERS = {
  newcomer_links: {
    error: "forbidden",
    says: "You are new here. Until {until}, each text can contain {max} links. Remove some links, or wait until then. Links to this community do not count.",
  },
  newcomer_links_today: {
    error: "rate_limited",
    says: "You are new here. Until {until}, you can post {max} links a day. Wait {seconds:second}, or leave out new links.",
  },
  newcomer_pictures: {
    error: "rate_limited",
    says: "You are new here. Until {until}, you can upload {max} images a day. Wait {seconds:second} and upload the next one.",
  },
  newcomer_messages: {
    error: "rate_limited",
    says: "You are new here. Until {until}, you can send {max} messages a day to members who have not written to you. Wait {seconds:second}, or reply to members who have written to you.",
  },
  held_words_wrong: {
    error: "unprocessable",
    says: "Write one word or phrase per line, at most {max}. Each needs a letter or digit and has at most {length} characters.",
  },
  held_hosts_wrong: {
    error: "unprocessable",
    says: "Write one host per line, such as `spam.example`, at most {max}.",
  },
} as const satisfies Refusals;
