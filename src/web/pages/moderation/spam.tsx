/** @jsxImportSource @kitajs/html */
import { CoreError } from "../../../core/base/errors.ts";
import { listDecisions, type Decision } from "../../../core/services/moderation/decisions.ts";
import { UNDO_REMOVAL_WITHIN_MS } from "../../../core/services/moderation/removal.ts";
import {
  previewRemoval,
  type RemovalPreview,
  REMOVED_MAX,
  removeSpammers,
} from "../../../core/services/moderation/spam.ts";
import { undoDecision } from "../../../core/services/moderation/undo.ts";
import { getSubjects } from "../../../core/services/moderation/moderation.ts";
import { listView } from "../admin/builders.tsx";
import { contentMatching, membersMatching, showFilterAgain } from "../admin/filters.tsx";
import { keepingForm, withReauthentication } from "../entry/reauthentication.tsx";
import { Heading } from "../../parts/layout.tsx";
import { Ago, Button, Empty, Fault, Form, Time } from "../../parts/parts.tsx";
import { refusalText } from "../../parts/sentences.ts";
import { field, prose, showAgainOnError } from "../../request/forms.ts";
import { firstOf } from "../../request/paging.ts";
import {
  moderatorPage,
  type PageAnswer,
  type PersonContext,
  type View,
  withRepeats,
} from "../../request/route.ts";
import { DecisionFields } from "./acts.tsx";
import { contentView } from "./content.tsx";

const HERE = "/admin/spam";
/** Entries whose authors one removal of a list of content reads. */
const CONTENT_READ = 1_000;

/** The preview of a removal of spammers, the removal and its undo. */
export const spamPages = [
  moderatorPage(
    "GET",
    HERE,
    withReauthentication(
      ({ context }) => `${HERE}${context.query === "" ? "" : `?${context.query}`}`,
      (ctx) =>
        showFilterAgain(
          () => previewView(ctx, usernamesIn(ctx)),
          (error) => filterView(ctx, error),
        ),
    ),
  ),
  withRepeats(
    moderatorPage(
      "POST",
      HERE,
      keepingForm(HERE, (ctx) => remove(ctx)),
    ),
    "username",
    "host",
  ),
  moderatorPage("GET", `${HERE}/done`, (ctx) => doneView(ctx, ctx.query)),
  moderatorPage(
    "POST",
    `${HERE}/undo`,
    keepingForm(HERE, (ctx) => undo(ctx)),
  ),
];

/**
 * Returns the usernames that the query means: named members, members and authors of content by id, or
 * everyone whom the filter of the list finds (`all`).
 */
function usernamesIn(ctx: PersonContext): string[] {
  const { core, person, query } = ctx;
  const authors = [...getSubjects(core, person.caller, query.getAll("id")).values()].map(
    ({ owner }) => owner,
  );
  // The list of members filters by `username`, too.
  const named = query.has("all")
    ? matchingIn(ctx)
    : query.getAll("id").length > 0
      ? []
      : query.getAll("username");
  const found = [...named, ...authors].filter((name) => name !== null);
  return [...new Set(found)].filter(Boolean).slice(0, REMOVED_MAX);
}

function matchingIn(ctx: PersonContext): (string | null)[] {
  return ctx.query.get("of") === "content"
    ? contentMatching(ctx, CONTENT_READ).map(({ subject }) => subject.owner)
    : membersMatching(ctx, REMOVED_MAX).map(({ username }) => username);
}

/** The filter that found the selection, again. */
export function filterView(ctx: PersonContext, error: CoreError): View {
  return ctx.query.get("of") === "content" ? contentView(ctx, undefined, error) : listView(ctx, error, null);
}

function remove(ctx: PersonContext) {
  const { core, person, form } = ctx;
  const usernames = form.getAll("username");
  return showAgainOnError(
    async () => {
      const decisions = await ctx.write(() =>
        removeSpammers(core, person.caller, {
          usernames,
          hosts: form.getAll("host"),
          reason: prose(form, "reason").trim(),
          rule: field(form, "rule"),
        }),
      );
      const ids = decisions.map(({ id }) => id).sort();
      return { to: `${HERE}/done?${new URLSearchParams({ from: ids[0] ?? "", to: ids.at(-1) ?? "" })}` };
    },
    (error) =>
      showFilterAgain(
        () => previewView(ctx, usernames, error),
        // One of the accounts was deleted in the meantime.
        (unknown) => listView(ctx, unknown, null),
      ),
  );
}

async function previewView(ctx: PersonContext, usernames: string[], error?: CoreError): Promise<View> {
  const messages = ctx.messages.desk.spam;
  if (usernames.length === 0)
    return {
      title: messages.title({ count: 0 }),
      error,
      body: (
        <>
          <Heading title={messages.title({ count: 0 })} />
          <Fault ctx={ctx} error={error} />
          <Empty title={messages.none}>
            <p>{messages.noneLead}</p>
          </Empty>
        </>
      ),
    };
  const preview = await previewRemoval(ctx.core, ctx.person.caller, usernames);
  const count = preview.counts.members;
  return {
    title: messages.title({ count }),
    error,
    body: (
      <>
        <Heading title={messages.title({ count })}>
          <p>{messages.lead}</p>
        </Heading>
        <Totals ctx={ctx} preview={preview} />
        <Alike ctx={ctx} preview={preview} />
        <Form action={HERE} ctx={ctx} kind="stack" error={error}>
          <Hosts ctx={ctx} preview={preview} />
          {preview.networks > 0 ? <p class="hint">{messages.networks({ count: preview.networks })}</p> : ""}
          <DecisionFields ctx={ctx} error={error} hasLength={false} usualReason={messages.reasonUsual} />
          <div class="actions">
            <Button kind="danger">{messages.button({ count })}</Button>
            <a class="button quiet" href="/admin/builders">
              {messages.cancel}
            </a>
          </div>
          <Accounts ctx={ctx} preview={preview} />
        </Form>
      </>
    ),
  };
}

const KINDS = ["posts", "replies", "jobs", "prompts", "messages"] as const;

function countsText(ctx: PersonContext, counts: Readonly<Record<(typeof KINDS)[number], number>>): string {
  const messages = ctx.messages.desk.spam;
  const parts = KINDS.filter((kind) => counts[kind] > 0).map((kind) =>
    messages[kind]({ count: counts[kind] }),
  );
  return parts.length > 0 ? parts.join(" · ") : messages.empty;
}

/** Totals of the content that the removal hides, over all accounts that can be removed. */
function Totals({ ctx, preview: { members, counts } }: { ctx: PersonContext; preview: RemovalPreview }) {
  const messages = ctx.messages.desk.spam;
  const only = members.length === 1 ? members[0] : undefined;
  return (
    <p class="totals" aria-label={messages.counts}>
      <strong dir="auto" safe>
        {only ? `@${only.username}` : messages.members({ count: counts.members })}
      </strong>{" "}
      · <span>{countsText(ctx, counts)}</span>
    </p>
  );
}

/** Links that add everyone new who linked the same site, so that a wave needs no list. */
function Alike({ ctx, preview }: { ctx: PersonContext; preview: RemovalPreview }) {
  const messages = ctx.messages.desk.spam;
  const hosts =
    preview.members.length > 1 ? [] : preview.hosts.filter(({ otherMembers }) => otherMembers > 0);
  if (hosts.length === 0) return "";
  return (
    <section class="card gap">
      <h2>{messages.alike}</h2>
      <ul class="plain-list">
        {hosts.slice(0, 5).map(({ host }) => (
          <li>
            <a href={`${HERE}?${new URLSearchParams({ all: "1", linkHost: host, newSince: "month" })}`} safe>
              {messages.addAlike({ host })}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Hosts({ ctx, preview: { hosts } }: { ctx: PersonContext; preview: RemovalPreview }) {
  const messages = ctx.messages.desk.spam;
  const { form } = ctx;
  if (hosts.length === 0) return "";
  return (
    <fieldset class="choices">
      <legend>{messages.hosts}</legend>
      <p class="hint">{messages.hostsHint}</p>
      {hosts.map(({ host, isPreselected, otherMembers }) => (
        <label class="choice">
          <input
            type="checkbox"
            name="host"
            value={host}
            checked={form.has("username") ? form.getAll("host").includes(host) : isPreselected}
          />
          <span>
            <bdi safe>{host}</bdi>
            <small>{messages.hostOthers({ count: otherMembers })}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Accounts({ ctx, preview: { members } }: { ctx: PersonContext; preview: RemovalPreview }) {
  const messages = ctx.messages.desk.spam;
  return (
    <fieldset class="choices accounts">
      <legend>{messages.accounts}</legend>
      <p class="hint">{messages.accountsHint}</p>
      {members.map((member) => {
        const { username, joinedAt, refused } = member;
        return (
          <label class="choice">
            <input
              type="checkbox"
              name="username"
              value={username}
              checked={refused === undefined}
              disabled={refused !== undefined}
            />
            <span>
              <span dir="auto" safe>{`@${username}`}</span>
              <small>
                {messages.joined({ when: <Ago ctx={ctx} at={joinedAt} /> })} ·{" "}
                <span safe>
                  {refused === undefined
                    ? countsText(ctx, member)
                    : messages.refused({ reason: refusalText(ctx, refused) })}
                </span>
              </small>
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

/** Undoes each removal of a request. One that is refused, such as of a deleted member, stops no other. */
async function undo(ctx: PersonContext): Promise<PageAnswer> {
  const { core, person, form } = ctx;
  let refusal: CoreError | undefined;
  for (const { id } of removalsIn(ctx, form))
    try {
      await ctx.write(() => undoDecision(core, person.caller, id));
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      refusal = error;
    }
  return refusal ? doneView(ctx, form, refusal) : { to: "/admin/builders", notice: "removals-undone" };
}

/** Returns the caller's removals between two decisions of one request that are in force. */
function removalsIn({ core, person }: PersonContext, fields: URLSearchParams): Decision[] {
  const { caller } = person;
  const [from, to] = [field(fields, "from"), field(fields, "to")];
  const filter = { moderator: caller.username, act: "remove_spammer" } as const;
  const { nodes } = firstOf(REMOVED_MAX, (request) => listDecisions(core, caller, filter, request));
  return nodes.filter(({ id, undone }) => id >= from && id <= to && !undone);
}

function doneView(ctx: PersonContext, fields: URLSearchParams, error?: CoreError): View {
  const messages = ctx.messages.desk.spam;
  const decisions = removalsIn(ctx, fields);
  const count = decisions.length;
  const title = messages.done({ count });
  const until = Math.min(...decisions.map(({ createdAt }) => createdAt)) + UNDO_REMOVAL_WITHIN_MS;
  return {
    title,
    error,
    body: (
      <>
        <Heading title={title}>
          {count === 0 ? "" : <p>{messages.doneLead({ when: <Time ctx={ctx} at={until} /> })}</p>}
        </Heading>
        <Fault ctx={ctx} error={error} />
        <div class="actions">
          <a class="button primary" href="/admin/builders">
            {messages.next}
          </a>
          {count === 0 ? (
            ""
          ) : (
            <Form action={`${HERE}/undo`} ctx={ctx} kind="inline">
              <input type="hidden" name="from" value={field(fields, "from")} />
              <input type="hidden" name="to" value={field(fields, "to")} />
              <Button kind="quiet">{messages.undo({ count })}</Button>
            </Form>
          )}
        </div>
        {count === 0 ? "" : <p class="hint below">{messages.undoLead}</p>}
      </>
    ),
  };
}
