/** @jsxImportSource @kitajs/html */
import { formOf } from "../../parts/draft-form.tsx";
import { type CoreError, refuse } from "../../../core/base/errors.ts";
import { getPost } from "../../../core/community/feed/feed.ts";
import { titleOf } from "../../../core/base/title.ts";
import { kindOf } from "../../../core/base/ids.ts";
import { getJob } from "../../../core/community/jobs/jobs.ts";
import { getMessages } from "../../../core/community/messages/messages.ts";
import { previewOf } from "../../../core/base/title.ts";
import { report, ReportDraft } from "../../../core/services/moderation/reports.ts";
import type { SubjectKind } from "../../../core/services/moderation/subjects.ts";
import { getProfiles } from "../../../core/community/profiles/profiles.ts";
import { getPrompt } from "../../../core/community/prompts/prompts.ts";
import { showAgainOnError, readDraft } from "../../request/forms.ts";
import { Heading } from "../../parts/layout.tsx";
import { Button } from "../../parts/parts.tsx";
import { type PersonContext, signedInPage, type View } from "../../request/route.ts";

/** The page to report a post, job, prompt or builder. The id determines the kind of the subject. */
export const reportPages = [
  signedInPage("GET", "/report/:id", (ctx) => reportView(ctx)),
  signedInPage("POST", "/report/:id", (ctx) => {
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
