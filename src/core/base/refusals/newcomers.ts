import type { Refusals } from "./refusals.ts";

/** What is too much for somebody new; `until` is the moment from which on it is not. */
export const NEWCOMERS = {
  newcomer_links: {
    error: "forbidden",
    says: "You are new here: until {until} what you write may hold {max} links; leave the others out, or write it then. Links into this community are free.",
  },
  newcomer_links_today: {
    error: "rate_limited",
    says: "You are new here: until {until} you may write {max} links a day; wait {seconds:second}, or write it without a new link.",
  },
  newcomer_pictures: {
    error: "rate_limited",
    says: "You are new here: until {until} you may send {max} pictures a day; wait {seconds:second} and send the next.",
  },
  newcomer_messages: {
    error: "rate_limited",
    says: "You are new here: until {until} you may send {max} messages a day to people who have not written to you; wait {seconds:second} and try again, or answer those who write to you.",
  },
} as const satisfies Refusals;
