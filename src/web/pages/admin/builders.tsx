/** @jsxImportSource @kitajs/html */
import { makeClaim, originOf } from "../../../core/across/arrivals/arrivals.ts";
import { deleteAccount } from "../../../core/across/deletion/deletion.ts";
import { makeRecovery } from "../../../core/identity/accounts/passwords.ts";
import { findOnRoll, listBuilders, type RollEntry } from "../../../core/identity/builders/roll.ts";
import type { CoreError } from "../../../core/ground/errors.ts";
import { restoreBuilder, suspendBuilder } from "../../../core/across/moderation/moderation.ts";
import { field, orAgain } from "../../request/forms.ts";
import {
  Ago,
  Button,
  Submit,
  Card,
  Empty,
  Fault,
  Field,
  Form,
  More,
  Secret,
  Time,
} from "../../parts/parts.tsx";
import { filterOf, nextAddress, pageRequest } from "../../request/reading.ts";
import { forAdmins, type Notice, type PersonAsk, type View, type PageAsk } from "../../request/route.ts";
import { AdminHead } from "./head.tsx";
import { afterProof, provedForm } from "../entry/proof.tsx";
import { setAdmin } from "../../../core/identity/accounts/administration.ts";

const HERE = "/admin/builders";

/** Everybody who lives here, and what an admin can do for or against them. */
export const adminBuilderPages = [
  forAdmins("GET", HERE, (ask) => listView(ask)),
  forAdmins("GET", `${HERE}/:username`, (ask) => builderView(ask)),
  forAdmins(
    "POST",
    `${HERE}/:username/suspend`,
    afterProof(pageOf, (ask) =>
      act(ask, "builder-suspended", () => suspendBuilder(ask.core, ask.person.caller, nameOf(ask))),
    ),
  ),
  forAdmins(
    "POST",
    `${HERE}/:username/restore`,
    afterProof(pageOf, (ask) =>
      act(ask, "builder-restored", () => restoreBuilder(ask.core, ask.person.caller, nameOf(ask))),
    ),
  ),
  forAdmins(
    "POST",
    `${HERE}/:username/make-admin`,
    afterProof(pageOf, (ask) =>
      act(ask, "admin-made", () => setAdmin(ask.core, ask.person.caller, nameOf(ask), true)),
    ),
  ),
  forAdmins(
    "POST",
    `${HERE}/:username/unmake-admin`,
    afterProof(pageOf, async (ask) => {
      const answer = await act(ask, "admin-unmade", () =>
        setAdmin(ask.core, ask.person.caller, nameOf(ask), false),
      );
      // Whoever took the right from themself has no admin's page to come back to.
      const isOwn = nameOf(ask) === ask.person.caller.username;
      return isOwn && "to" in answer ? { ...answer, to: "/" } : answer;
    }),
  ),
  provedForm(forAdmins, `${HERE}/:username/recovery`, pageOf, builderView, async (ask) => {
    const { core, person } = ask;
    const isUnclaimed = unclaimedOrigin(ask, findOnRoll(core, person.caller, nameOf(ask))) !== undefined;
    const make = isUnclaimed ? makeClaim : makeRecovery;
    const made = await ask.write(() => make(core, person.caller, nameOf(ask)));
    return recoveryView(ask, made);
  }),
  provedForm(forAdmins, `${HERE}/:username/delete`, pageOf, builderView, async (ask) => {
    const { core, person, form } = ask;
    await core.db.write(() => deleteAccount(core, person.caller, nameOf(ask), field(form, "username")));
    return { to: HERE, notice: "builder-deleted" };
  }),
];

function pageOf(ask: PersonAsk): string {
  return `${HERE}/${nameOf(ask)}`;
}

function act(ask: PersonAsk, notice: Notice, work: () => unknown) {
  return orAgain(
    async () => {
      await ask.write(work);
      return { to: pageOf(ask), notice };
    },
    (error) => builderView(ask, error),
  );
}

function nameOf({ params }: PersonAsk): string {
  return params["username"] ?? "";
}

function listView(ask: PersonAsk): View {
  const { core, person } = ask;
  const username = filterOf(ask, "username");
  const page = listBuilders(core, person.caller, { username }, pageRequest(ask));
  return {
    title: "Builders",
    body: (
      <>
        <AdminHead ask={ask} title="Builders" />
        <form class="find" action={HERE} role="search">
          <Field
            name="username"
            label="Username, or how it begins"
            type="search"
            value={username ?? ""}
            maxlength={40}
          />
          <Button kind="quiet">Find</Button>
        </form>
        {page.nodes.length === 0 ? (
          <Empty title="Nobody has such a username">
            <p>
              Only its beginning counts. <a href={HERE}>Everybody, newest first</a>
            </p>
          </Empty>
        ) : (
          <ul class="rows">
            {page.nodes.map((builder) => (
              <BuilderRow builder={builder} ask={ask} />
            ))}
          </ul>
        )}
        <More ask={ask} href={nextAddress(ask, page)} words="More" />
      </>
    ),
  };
}

export function BuilderRow({ builder, ask }: { builder: RollEntry; ask: PageAsk }) {
  return (
    <li>
      <div class="row-main">
        <p class="row-title" dir="auto">
          <a href={`${HERE}/${builder.username}`} safe>{`@${builder.username}`}</a>
        </p>
        <p class="row-meta">
          <bdi safe>{builder.name}</bdi> · joined <Ago ask={ask} at={builder.createdAt} />
        </p>
      </div>
      <Standing builder={builder} />
    </li>
  );
}

function Standing({ builder }: { builder: RollEntry }) {
  return (
    <span>
      {builder.isAdmin ? <span class="badge good">Admin</span> : ""}
      {builder.suspendedAt === null ? "" : <span class="badge bad">Suspended</span>}
    </span>
  );
}

function builderView(ask: PersonAsk, error?: CoreError): View {
  const { core, person } = ask;
  const builder = findOnRoll(core, person.caller, nameOf(ask));
  const isSelf = builder.id === person.caller.builderId;
  return {
    title: `@${builder.username}`,
    error,
    body: (
      <>
        <AdminHead ask={ask} title={`@${builder.username}`} action={<Standing builder={builder} />}>
          <p>
            <bdi safe>{builder.name}</bdi>, joined <Time ask={ask} at={builder.createdAt} /> UTC.{" "}
            <a href={`/@${builder.username}`}>Profile</a>
          </p>
        </AdminHead>
        <Fault ask={ask} error={error} fields={["username"]} />
        {builder.suspendedAt === null ? "" : <Locked ask={ask} builder={builder} at={builder.suspendedAt} />}
        <WayIn ask={ask} builder={builder} />
        <section class="part">
          <h2>Somebody else in the account</h2>
          <p class="hint">
            Ends all that gives access to it: sessions, tokens, connected apps, webhook endpoints and links.
            The next page says what there is, and asks what they go on signing in with.
          </p>
          <p>
            <a class="button quiet" href={`${HERE}/${builder.username}/secure`}>
              Secure the account
            </a>
          </p>
        </section>
        <section class="part">
          <h2>Running the community</h2>
          {builder.isAdmin ? (
            <>
              <p class="hint">They see these pages, and everything on them.</p>
              <Act
                ask={ask}
                builder={builder}
                act="unmake-admin"
                words={isSelf ? "Give up the right" : "Take the right away"}
                kind="danger"
              />
            </>
          ) : (
            <>
              <p class="hint">An admin can do everything that you can do here, also to you.</p>
              <Act ask={ask} builder={builder} act="make-admin" words="Make them an admin" />
            </>
          )}
        </section>
        {builder.suspendedAt !== null || isSelf ? (
          ""
        ) : (
          <section class="part">
            <h2>Suspend</h2>
            <p class="hint">
              They are signed out at once, and none of their tokens works any more. The apps that they
              registered stop too, for everybody who let them in, save those of a shared workspace that
              somebody else owns as well. Let in again, they sign in anew: their sessions, tokens, connected
              apps and links are ended for good, their webhook endpoints are off until they switch them on,
              and their apps work again. What they wrote stays.
            </p>
            <Act ask={ask} builder={builder} act="suspend" words="Suspend the account" kind="danger" />
          </section>
        )}
        {isSelf ? "" : <Deletion ask={ask} builder={builder} error={error} />}
      </>
    ),
  };
}

function Deletion({
  ask,
  builder,
  error,
}: {
  ask: PersonAsk;
  builder: RollEntry;
  error: CoreError | undefined;
}) {
  return (
    <section class="part">
      <h2>Delete</h2>
      <p class="hint">
        For good, with everything that they wrote: where they only have to stay out, suspend them. They can do
        it themself, too, in their account’s settings. The username stays taken.
      </p>
      <Form action={`${HERE}/${builder.username}/delete`} token={ask.formToken} kind="stack narrow">
        <Field
          name="username"
          label="Their username, as a sign that you mean it"
          hint={builder.username}
          maxlength={40}
          ask={ask}
          error={error}
          required
        />
        <Submit kind="danger">Delete the account</Submit>
      </Form>
    </section>
  );
}

function Locked({ ask, builder, at }: { ask: PersonAsk; builder: RollEntry; at: number }) {
  return (
    <Card kind="danger" title="Suspended">
      <p>
        Since <Time ask={ask} at={at} /> UTC they cannot come in.
      </p>
      <p>
        <Act ask={ask} builder={builder} act="restore" words="Let them in again" kind="primary" />
      </p>
    </Card>
  );
}

/** A link by which they set a password: the next one, or the first of an account that was imported. */
function WayIn({ ask, builder }: { ask: PersonAsk; builder: RollEntry }) {
  const origin = unclaimedOrigin(ask, builder);
  return (
    <section class="part">
      <h2>{origin ? "Not claimed yet" : "Forgotten password"}</h2>
      {origin && (
        <p class="hint">
          <span safe>{`The account was imported from ${origin.host}/@${origin.name}`}</span>, and nobody can
          sign in to it.
        </p>
      )}
      <p class="hint">
        {origin
          ? "A link by which they set a password within seven days. "
          : "A link by which they set a new one within 24 hours. "}
        Give it to them yourself, and be sure that it is them: whoever opens it is them.
      </p>
      <Act
        ask={ask}
        builder={builder}
        act="recovery"
        words={origin ? "Make a claim link" : "Make a recovery link"}
      />
    </section>
  );
}

function unclaimedOrigin({ core }: PersonAsk, { id }: RollEntry) {
  const origin = originOf(core, id);
  return origin?.isClaimed === false ? origin : undefined;
}

function Act({
  ask,
  builder,
  act,
  words,
  kind = "quiet",
}: {
  ask: PersonAsk;
  builder: RollEntry;
  act: string;
  words: string;
  kind?: "quiet" | "danger" | "primary";
}) {
  return (
    <Form action={`${HERE}/${builder.username}/${act}`} token={ask.formToken} kind="inline">
      <Button kind={kind}>{words}</Button>
    </Form>
  );
}

function recoveryView(ask: PersonAsk, { url, expiresAt }: { url: string; expiresAt: number }): View {
  return {
    title: "A recovery link",
    body: (
      <>
        <AdminHead ask={ask} title="A recovery link">
          <p safe>{`For @${nameOf(ask)}`}</p>
        </AdminHead>
        <Secret label="Recovery link" value={url}>
          <p>
            Copy it now: it is not shown again. It works once, until <Time ask={ask} at={expiresAt} /> UTC,
            and any earlier one does no more.
          </p>
        </Secret>
        <p>
          <a href={`${HERE}/${nameOf(ask)}`}>Back to the builder</a>
        </p>
      </>
    ),
  };
}
