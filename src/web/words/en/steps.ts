/** What to begin with: three things for whoever set the community up, three for everybody who is new. */
export const steps = {
  title: "First steps",
  away: "Put away",
  done: "(done)",
  so: (done: number, all: number) => `${done} of ${all}`,
  of: {
    community: "Say what this community is",
    invite: "Invite somebody",
    post: "Publish a first post",
    profile: "Show who you are",
    welcome: "Read how things are done here",
    hello: "Say hello",
  },
};
