/** The texts that lie in the archive of what is somebody's own, in plain text of 120 columns. */
export const ownData = {
  readme: (
    username: string,
    origin: string,
    at: string,
  ) => `What is @${username}'s own at ${origin}, as of ${at}.

Each .ndjson file is a kind of thing, one to a line, as JSON; schemas/ says what its fields are (JSON Schema). Times are
UTC. Files without a line stand for what you have none of.

  builders           your profile                      posts              your posts and replies
  likes              what you like                     prompts            your prompts, with their versions beside
  jobs, job_filters  what you published, what you seek projects           your projects
  threads, messages  your conversations, both sides    blocks             whom you have blocked
  xp_entries         why you have your points          streaks            your days in a row
  workspaces, apps, grants, tokens, webhook_endpoints  what may act for you, without any secret
  audit_entries      what happened to your account     people             who is named in the rest, by id

Left out: passwords, passkeys, sessions, the secrets of tokens, apps and endpoints, and what is others' alone, such as
who likes your posts. What changed while this was written may stand in it or not.
`,
  incomplete: `This archive ends here: what is yours is more than fits into one. Ask whoever runs the community for
an export of your account (guildhall export --builder); it has no such end.
`,
};
