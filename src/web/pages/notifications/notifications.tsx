/** @jsxImportSource @kitajs/html */
import { isAtLeast } from "../../../core/identity/access/roles.ts";
import {
  getNotifications,
  listNotifications,
  markNotifications,
  type Notification,
} from "../../../core/services/notifications/notifications.ts";
import { titlesOf } from "../../../core/services/notifications/titles.ts";
import {
  factsOf,
  NOTIFICATION_KINDS,
  type NotificationKind,
} from "../../../core/identity/notifications/kinds.ts";
import { maintenanceOf } from "../../../core/identity/maintenance/maintenance.ts";
import { Avatar, avatarUrls } from "../../parts/avatar.tsx";
import { groupByDay } from "../../parts/days.ts";
import { Heading, Views } from "../../parts/layout.tsx";
import { Button, Empty, Form, More, Select, TimeAs } from "../../parts/parts.tsx";
import { addedAccess, nameOfBadge } from "../../../locale/notification-text.ts";
import { agentName } from "../../request/agent.ts";
import { field } from "../../request/forms.ts";
import { isFetchedAhead, nextAddress, PAGE_SIZE, pageRequest } from "../../request/paging.ts";
import { type PersonContext, signedInPage, type Redirect, type View } from "../../request/route.ts";
import { NotStaffMark } from "../../parts/role-mark.tsx";

const HERE = "/notifications";
const UNREAD = `${HERE}/unread`;
/** Maximum number of faces in a row. */
const FACES = 2;

export const notificationPages = [
  signedInPage("GET", HERE, (ctx) => listView(ctx)),
  signedInPage("GET", UNREAD, (ctx) => listView(ctx, true)),
  signedInPage("POST", `${HERE}/read`, async (ctx) => {
    const [upTo, id] = [field(ctx.form, "up_to"), field(ctx.form, "id")];
    await ctx.write(() =>
      markNotifications(ctx.core, ctx.person.caller, upTo === "" ? { ids: [id] } : { up_to: upTo }),
    );
    const unread = field(ctx.form, "unread") === "" ? undefined : true;
    return {
      to: unread ? UNREAD : HERE,
      fragment: () =>
        upTo === "" ? (
          markedRow(ctx, id, unread)
        ) : (
          <List ctx={ctx} nodes={newestOf(ctx, unread)} unread={unread} />
        ),
    };
  }),
  signedInPage("GET", `${HERE}/:id`, (ctx) => redirectToSubject(ctx)),
];

/**
 * Redirects to the subject of a notification and marks the notification as read. Redirects to the list if the
 * notification was deleted or has grown, which changes its id.
 */
async function redirectToSubject(ctx: PersonContext): Promise<Redirect> {
  const { core, person } = ctx;
  const [found] = getNotifications(core, person.caller, [ctx.params["id"] ?? ""]);
  if (!found) return { to: HERE };
  // In maintenance mode, the page redirects without marking the notification as read.
  if (!found.read && !isFetchedAhead(ctx) && !maintenanceOf(core))
    await core.db.write(() => markNotifications(core, person.caller, { ids: [found.id] }));
  const { pathname, search } = new URL(found.subject.url);
  return { to: pathname + search };
}

/** Renders a notification after it was marked as read. It is gone if it has grown meanwhile. */
function markedRow(ctx: PersonContext, id: string, unread: true | undefined): JSX.Element {
  const found = getNotifications(ctx.core, ctx.person.caller, [id]);
  const titles = titlesOf(ctx.core, ctx.person.caller, found);
  const [notification] = found;
  if (!notification) return "";
  const title = titles.get(notification.subject.id);
  return (
    <Row
      ctx={ctx}
      notification={notification}
      title={title}
      pictures={picturesFor(ctx, found)}
      isAmongUnread={unread ?? false}
    />
  );
}

/** The first page of the list, on which the button to mark all is. */
function newestOf({ core, person }: PersonContext, unread: true | undefined): readonly Notification[] {
  return listNotifications(core, person.caller, { unread }, { limit: PAGE_SIZE }).nodes;
}

function picturesFor({ core }: PersonContext, shown: readonly Notification[]): ReadonlyMap<string, string> {
  return avatarUrls(
    core,
    shown.flatMap(({ actors }) => actors.slice(0, FACES).map(({ id }) => id)),
  );
}

function listView(ctx: PersonContext, unread?: true): View {
  const messages = ctx.messages.notifications;
  const { core, person, query } = ctx;
  const kind = NOTIFICATION_KINDS.find((name) => name === query.get("kind"));
  const page = listNotifications(core, person.caller, { kind, unread }, pageRequest(ctx));
  const [newest] = page.nodes;
  return {
    title: messages.title,
    body: (
      <>
        <Heading
          title={messages.title}
          action={
            newest && !query.has("cursor") && kind === undefined && page.nodes.some(({ read }) => !read) ? (
              <Form action={`${HERE}/read`} ctx={ctx} kind="inline" inPlace>
                <input type="hidden" name="up_to" value={newest.id} />
                {unread ? <input type="hidden" name="unread" value="1" /> : ""}
                <Button kind="quiet">{messages.markAll}</Button>
              </Form>
            ) : (
              ""
            )
          }
        >
          <p>
            <a href="/settings/notifications">{messages.choose}</a>
          </p>
        </Heading>
        <Views
          ctx={ctx}
          label={messages.title}
          views={[
            { href: HERE, label: messages.views.all },
            { href: UNREAD, label: messages.views.unread },
          ]}
        />
        <KindForm ctx={ctx} kind={kind} />
        <List ctx={ctx} nodes={page.nodes} unread={unread} />
        <More ctx={ctx} href={nextAddress(ctx, page)} />
      </>
    ),
  };
}

/** The notifications of a page by day. The script replaces the list when all are marked as read. */
function List({
  ctx,
  nodes,
  unread,
}: {
  ctx: PersonContext;
  nodes: readonly Notification[];
  unread: true | undefined;
}) {
  const messages = ctx.messages.notifications;
  const titles = titlesOf(ctx.core, ctx.person.caller, nodes);
  const pictures = picturesFor(ctx, nodes);
  return (
    <div id="told">
      {nodes.length === 0 ? (
        <Empty title={unread ? messages.allRead : messages.none}>
          <p>{unread ? messages.allReadLead : messages.noneLead}</p>
        </Empty>
      ) : (
        groupByDay(ctx, nodes, ({ createdAt }) => createdAt).map(({ heading, items }) => (
          <section class="told-day">
            <h2 safe>{heading}</h2>
            <ul class="rows told">
              {items.map((notification) => (
                <Row
                  ctx={ctx}
                  notification={notification}
                  title={titles.get(notification.subject.id)}
                  pictures={pictures}
                  isAmongUnread={unread ?? false}
                />
              ))}
            </ul>
          </section>
        ))
      )}
    </div>
  );
}

/** The filter for one kind of notification. */
function KindForm({ ctx, kind }: { ctx: PersonContext; kind: NotificationKind | undefined }) {
  const messages = ctx.messages.notifications;
  const shown = NOTIFICATION_KINDS.filter((name) =>
    isAtLeast(ctx.person.role, factsOf(name).forRole ?? "member"),
  );
  return (
    <details class="search-more told-kinds" open={kind !== undefined}>
      <summary>{messages.narrow}</summary>
      <form action={ctx.context.path}>
        <Select
          name="kind"
          label={messages.kind}
          options={[
            { value: "", words: messages.every },
            ...shown.map((value) => ({ value, words: messages.kinds[value], isOn: value === kind })),
          ]}
        />
        <Button kind="quiet">{messages.show}</Button>
      </form>
    </details>
  );
}

function Row({
  ctx,
  notification,
  title,
  pictures,
  isAmongUnread,
}: {
  ctx: PersonContext;
  notification: Notification;
  title: string | undefined;
  pictures: ReadonlyMap<string, string>;
  isAmongUnread: boolean;
}) {
  const messages = ctx.messages.notifications;
  // The quoted text, if the sentence does not contain it.
  const isQuoted = notification.about !== "" && factsOf(notification.kind).isQuoted;
  return (
    <li class={notification.read ? undefined : "unread"}>
      <Faces actors={notification.actors} pictures={pictures} />
      <div class="row-main">
        <p class="row-title" dir="auto">
          {notification.read ? "" : <span class="unseen">{`${messages.unread}: `}</span>}
          {sentenceFor(ctx, notification, title)}
        </p>
        {isQuoted ? (
          <p class="quietly" dir="auto">
            {messages.reason({ about: <bdi safe>{notification.about}</bdi> })}
          </p>
        ) : (
          ""
        )}
        <p class="row-meta">
          <TimeAs
            ctx={ctx}
            at={notification.createdAt}
            text={ctx.messages.formats.clockTime(notification.createdAt, ctx.zone.name)}
          />
        </p>
      </div>
      {notification.read ? (
        ""
      ) : (
        <Form action={`${HERE}/read`} ctx={ctx} kind="inline" inPlace="li">
          <input type="hidden" name="id" value={notification.id} />
          {isAmongUnread ? <input type="hidden" name="unread" value="1" /> : ""}
          <button class="link">{messages.mark}</button>
        </Form>
      )}
    </li>
  );
}

/** The faces of the newest actors. A notification without an actor has the gable of the community. */
function Faces({
  actors,
  pictures,
}: {
  actors: Notification["actors"];
  pictures: ReadonlyMap<string, string>;
}) {
  return (
    <div class="told-faces">
      {actors.length === 0 ? (
        <span class="told-gable" />
      ) : (
        actors
          .slice(0, FACES)
          .map(({ id, username }) => <Avatar username={username} picture={pictures.get(id)} />)
      )}
    </div>
  );
}

/** Returns the sentence as markup, with links to the actors and the subject. */
function sentenceFor(ctx: PersonContext, notification: Notification, title: string | undefined): JSX.Element {
  const messages = ctx.messages.notifications;
  const { kind, count, actors, about } = notification;
  const isAdded = kind === "invitation" && actors.length === 0;
  const said =
    kind === "sign_in"
      ? agentName(ctx.messages, about)
      : kind === "badge"
        ? nameOfBadge(ctx.messages, about)
        : about;
  const params = {
    who: actorsOf(ctx, notification),
    count,
    what: (
      <bdi safe>
        {title ?? (notification.subject.type === "thread" ? messages.message : messages.something)}
      </bdi>
    ),
    about: <bdi safe>{said}</bdi>,
    access: addedAccess(ctx.messages, notification.subject.id),
    to: `${HERE}/${notification.id}`,
  };
  if (isAdded) return messages.added(params);
  return (
    <>
      {messages.sentences[kind](params)}
      {kind === "access_added" && about !== "" ? <>: {params.about}</> : ""}
    </>
  );
}

/** “Ada”, “Ada and Bo”, “Ada and 3 others”. */
function actorsOf(ctx: PersonContext, { actors, count }: Notification): JSX.Element {
  const { who } = ctx.messages.notifications;
  const [first, second] = actors.map(({ username, name }) => (
    <>
      <a href={`/@${username}`} class="told-who">
        <bdi safe>{name}</bdi>
      </a>
      <NotStaffMark ctx={ctx} who={{ username, name }} />
    </>
  ));
  if (first === undefined) return "";
  if (count <= 1) return first;
  if (count === 2 && second !== undefined) return who.two({ first, second });
  return who.more({ others: count - 1, first });
}
