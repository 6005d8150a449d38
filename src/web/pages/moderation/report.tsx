/** @jsxImportSource @kitajs/html */
import { Type } from "@sinclair/typebox";
import { Text } from "../../../core/base/check.ts";
import { formOf } from "../../parts/draft-form.tsx";
import { type CoreError, refuse } from "../../../core/base/errors.ts";
import { getPost } from "../../../core/community/feed/feed.ts";
import { titleOf } from "../../../core/base/title.ts";
import { kindOf } from "../../../core/base/ids.ts";
import { getJob } from "../../../core/community/jobs/jobs.ts";
import { getMessages } from "../../../core/community/messages/messages.ts";
import { previewOf } from "../../../core/base/title.ts";
import {
  reportableByStrangers,
  reportAsStranger,
} from "../../../core/services/moderation/stranger-reports.ts";
import { sendsMail } from "../../../core/identity/mail/mail.ts";
import { VISITOR } from "../../../core/identity/access/caller.ts";
import { report, ReportDraft } from "../../../core/services/moderation/reports.ts";
import type { SubjectKind } from "../../../core/services/moderation/subjects.ts";
import { getProfiles } from "../../../core/community/profiles/profiles.ts";
import { getPrompt } from "../../../core/community/prompts/prompts.ts";
import { field, prose, showAgainOnError, readDraft } from "../../request/forms.ts";
import { signInView } from "../entry/sign-in.tsx";
import { Heading, messageView } from "../../parts/layout.tsx";
import { Button } from "../../parts/parts.tsx";
import {
  type PageAnswer,
  type PageContext,
  type PersonContext,
  readerPage,
  type View,
} from "../../request/route.ts";

/** The page to report a post, job, prompt or builder. The id determines the kind of the subject. */
export const reportPages = [
  readerPage("GET", "/report/:id", (ctx) => (isMember(ctx) ? reportView(ctx) : strangerView(ctx))),
  readerPage("POST", "/report/:id", (ctx) => {
    if (!isMember(ctx)) return sendAsStranger(ctx);
    const { kind, id, href } = reportable(ctx);
    return showAgainOnError(
      async () => {
        const draft = readDraft(ReportDraft, ctx.form);
        await ctx.write(() => report(ctx.core, ctx.person.caller, { kind, id }, draft));
        return { to: href, notice: "reported" };
      },
      (error) => reportView(ctx, error),
    );
  }),
];

function isMember(ctx: PageContext): ctx is PersonContext {
  return ctx.person !== undefined;
}

const StrangerForm = Type.Object({
  reason: ReportDraft.properties.reason,
  mail: Type.Optional(Text({ min: 0, max: 254 })),
});

/** Sends the report of a person without an account (docs/contract.md#12.40). */
async function sendAsStranger(ctx: PageContext): Promise<PageAnswer> {
  const { core, form, context, messages } = ctx;
  const subjectId = ctx.params["id"] ?? "";
  if (kindOf(subjectId) === "msg") return signInView(ctx, { next: "/" });
  return showAgainOnError(
    async () => {
      const draft = { reason: prose(form, "reason"), mail: field(form, "mail"), language: messages.language };
      await ctx.write(() => reportAsStranger(core, context.address(), { subjectId, ...draft }));
      const { title, sent, back } = messages.moderation.stranger;
      return messageView(title, sent, { href: "/", label: back });
    },
    (error) => strangerView(ctx, error),
  );
}

/** The form for people without an account. Only members can report a message. */
function strangerView(ctx: PageContext, error?: CoreError): View {
  const { report: messages, stranger } = ctx.messages.moderation;
  const id = ctx.params["id"] ?? "";
  if (kindOf(id) === "msg") return signInView(ctx, { next: ctx.context.path });
  const { type, ...subject } = reportableByStrangers(ctx.core, id);
  const [profile] = type === "builder" ? getProfiles(ctx.core, VISITOR, [id]) : [];
  const href = type === "builder" ? `/@${profile?.username ?? ""}` : `/${type}s/${id}`;
  const { Form, TextArea, Field } = formOf(ctx, StrangerForm, { messages: stranger, error });
  return {
    title: messages.titles[type],
    error,
    body: (
      <>
        <Heading title={messages.titles[type]}>
          <p>
            <a href={href}>
              <bdi safe>{profile?.name ?? subject.title ?? ""}</bdi>
            </a>
          </p>
          <p>{stranger.lead}</p>
        </Heading>
        <Form action={`/report/${id}`}>
          <TextArea name="reason" maxlength={500} />
          {sendsMail(ctx.core) ? <Field name="mail" type="email" /> : ""}
          <div class="actions">
            <Button>{messages.button}</Button>
            <a class="button quiet" href={href}>
              {messages.back}
            </a>
          </div>
        </Form>
      </>
    ),
  };
}

interface Reportable {
  kind: SubjectKind;
  id: string;
  /** The name of the subject, as the page shows it. */
  title: string;
  href: string;
}

/** Reads a subject of each kind. Throws not_found for a subject that the caller cannot see. */
const FIND: Readonly<Record<string, (ctx: PersonContext, id: string) => Omit<Reportable, "id">>> = {
  post({ core, person }, id) {
    return { kind: "post", title: titleOf(getPost(core, person.caller, id).text), href: `/posts/${id}` };
  },
  job({ core, person }, id) {
    return { kind: "job", title: getJob(core, person.caller, id).title, href: `/jobs/${id}` };
  },
  prompt({ core, person }, id) {
    return { kind: "prompt", title: getPrompt(core, person.caller, id).title, href: `/prompts/${id}` };
  },
  msg(ctx, id) {
    const { text, threadId } = messageOf(ctx, id);
    return { kind: "message", title: previewOf(text), href: `/messages/${threadId}` };
  },
  builder({ core, person }, id) {
    const [profile] = getProfiles(core, person.caller, [id]);
    if (!profile) throw nothing();
    return { kind: "builder", title: profile.name, href: `/@${profile.username}` };
  },
};

function reportable(ctx: PersonContext): Reportable {
  const id = ctx.params["id"] ?? "";
  const kind = kindOf(id);
  if (!Object.hasOwn(FIND, kind)) throw nothing();
  return { id, ...(FIND[kind] as (typeof FIND)[string])(ctx, id) };
}

function nothing(): CoreError {
  return refuse("report_of_nothing");
}

/** Reads a message. Throws if the caller cannot see it. */
function messageOf({ core, person }: PersonContext, id: string) {
  const [message] = getMessages(core, person.caller, [id]);
  if (!message) throw nothing();
  return message;
}

function reportView(ctx: PersonContext, error?: CoreError): View {
  const messages = ctx.messages.moderation.report;
  const { kind, id, title, href } = reportable(ctx);
  const { Form, TextArea } = formOf(ctx, ReportDraft, { messages, error });
  return {
    title: messages.titles[kind],
    error,
    body: (
      <>
        <Heading title={messages.titles[kind]}>
          <p>
            <a href={href}>
              <bdi safe>{title}</bdi>
            </a>
          </p>
        </Heading>
        {kind === "message" && <p class="hint">{messages.message}</p>}
        <Form action={`/report/${id}`}>
          <TextArea name="reason" />
          <div class="actions">
            <Button>{messages.button}</Button>
            <a class="button quiet" href={href}>
              {messages.back}
            </a>
          </div>
        </Form>
      </>
    ),
  };
}
