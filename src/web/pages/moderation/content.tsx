/** @jsxImportSource @kitajs/html */
import type { CoreError } from "../../../core/base/errors.ts";
import type { Page } from "../../../core/base/page.ts";
import {
  CONTENT_STATES,
  LISTED_KINDS,
  type ListedContent,
  listModeratedContent,
} from "../../../core/services/moderation/content.ts";
import {
  ChoiceFilter,
  contentFilter,
  FilterForm,
  SelectionForm,
  SelectRow,
  showFilterAgain,
  TextFilter,
} from "../admin/filters.tsx";
import { Heading } from "../../parts/layout.tsx";
import { casePath } from "../../parts/moderate-menu.tsx";
import { Ago, Fault, More, Rows } from "../../parts/parts.tsx";
import { nextAddress, pageRequest } from "../../request/paging.ts";
import { moderatorPage, type PersonContext, type View } from "../../request/route.ts";
import { subjectName } from "../../parts/subject-name.ts";

const HERE = "/admin/content";

/** The list of content for acts in bulk. */
export const contentPages = [
  moderatorPage("GET", HERE, (ctx) =>
    showFilterAgain(
      () =>
        contentView(
          ctx,
          listModeratedContent(ctx.core, ctx.person.caller, contentFilter(ctx), pageRequest(ctx)),
        ),
      (error) => contentView(ctx, undefined, error),
    ),
  ),
];

/** `page` is undefined if the filter names an unknown member. */
export function contentView(ctx: PersonContext, page?: Page<ListedContent>, error?: CoreError): View {
  const { content: messages, filters } = ctx.messages.desk;
  return {
    title: messages.title,
    error,
    body: (
      <>
        <Heading title={messages.title}>
          <p>{messages.lead}</p>
        </Heading>
        <Fault ctx={ctx} error={error} fields={["author", "inviter", "network"]} />
        <FilterForm ctx={ctx} action={HERE} error={error}>
          <ChoiceFilter ctx={ctx} name="kind" label={filters.kind} names={LISTED_KINDS} of={filters.kinds} />
          <ChoiceFilter
            ctx={ctx}
            name="state"
            label={filters.state}
            names={CONTENT_STATES}
            of={filters.states}
          />
          <TextFilter ctx={ctx} name="author" label={filters.author} error={error} />
          <TextFilter ctx={ctx} name="linkHost" label={filters.linkHost} />
          <TextFilter ctx={ctx} name="inviter" label={filters.inviter} error={error} />
          <TextFilter ctx={ctx} name="network" label={filters.network} error={error} />
        </FilterForm>
        {page && page.nodes.length > 0 ? (
          <SelectionForm ctx={ctx} of="content" acts={["hide", "restore", "approve"]}>
            <ul class="rows">
              {page.nodes.map((each) => (
                <ContentRow ctx={ctx} of={each} />
              ))}
            </ul>
          </SelectionForm>
        ) : error ? (
          ""
        ) : (
          <Rows nodes={[]} empty={messages.nothing} lead={messages.nothingLead} row={() => ""} />
        )}
        {page ? <More ctx={ctx} href={nextAddress(ctx, page)} label={messages.more} /> : ""}
      </>
    ),
  };
}

function ContentRow({ ctx, of: { subject, createdAt, isHeld } }: { ctx: PersonContext; of: ListedContent }) {
  const messages = ctx.messages.desk.case;
  const name = subjectName(ctx, subject);
  return (
    <li>
      <SelectRow ctx={ctx} id={subject.id} name={name} />
      <div class="row-main">
        <p class="row-title" dir="auto">
          <a href={casePath(subject.id)}>
            <bdi safe>{name}</bdi>
          </a>
          {isHeld ? <span class="badge waiting">{messages.held}</span> : ""}
          {subject.hidden && !isHeld ? <span class="badge bad">{messages.hidden}</span> : ""}
        </p>
        <p class="row-meta">
          {subject.owner === null ? "" : <span safe>{`@${subject.owner} · `}</span>}
          <Ago ctx={ctx} at={createdAt} />
        </p>
      </div>
    </li>
  );
}
