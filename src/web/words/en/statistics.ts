/** How the community grows, week by week. */
export const statistics = {
  title: "Statistics",
  lead: "The last 26 weeks. A week begins on Monday; days are those of UTC, and this week is not over.",
  since: "Counted since {when}.",
  upTo: "Weeks are counted up to {when}, members now.",
  notYet: "Nothing was counted yet: the server begins a quarter of an hour after its first start.",
  download: "Download as CSV",
  now: "Now",
  members: "Members",
  joinedNow: "Joined this week",
  activeNow: "Active this week",
  week: "Week from",
  unknown: "–",
  figures: "The figures",
  figuresOf: (title: string) => `${title}: the figures`,
  joined: { title: "New members a week", members: "joined" },
  active: { title: "Members active a week", members: "active" },
  returned: {
    title: "Of those who joined in a week, active in the next",
    returned: "came back",
    gone: "did not",
  },
  written: { title: "Written a week", posts: "posts", replies: "replies" },
  made: { title: "Published a week", jobs: "jobs", prompts: "prompts" },
  deliveries: {
    title: "Attempts of deliveries a week",
    acknowledged: "acknowledged",
    failed: "failed",
  },
  /** What a drawing of weeks shows, for whoever does not see it. */
  charts: {
    nothing: "Nothing is known of these weeks yet.",
    today: "this week",
    ofDay: (week: string, figures: readonly string[]) => `Week from ${week}: ${figures.join(", ")}`,
    figure: (value: string, of: string) => `${value} ${of}`,
    noFigure: (of: string) => `nothing known ${of}`,
    point: (week: string, of: string, value: string) => `Week from ${week}: ${of} ${value}`,
    whole: (title: string, series: readonly string[]) => `${title}. ${series.join(" ")}`,
    onlyToday: (of: string, present: string | undefined) => `${of}: ${ofThisWeek(present)}.`,
    series: (of: string, present: string | undefined, least: string, most: string, mean: string) =>
      `${of}: ${ofThisWeek(present)}, in the weeks before ${least} to ${most}, ${mean} on average.`,
  },
};

function ofThisWeek(present: string | undefined): string {
  return present === undefined ? "nothing known of this week" : `this week ${present}`;
}
