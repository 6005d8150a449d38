/** @jsxImportSource @kitajs/html */
import { getPosts, type Post } from "../../../core/community/feed/feed.ts";
import { readerOf } from "../../request/paging.ts";
import type { PageContext } from "../../request/route.ts";
import { PostCard, cardDetailsOf } from "./post-card.tsx";

/** Number of indented levels. Deeper replies are listed on the last level, in order. */
const LEVELS = 3;

/** A reply in the tree, or a gap for a deleted reply. */
interface Branch {
  /** Null for a gap. */
  post: Post | null;
  level: number;
  /**
   * The branch to which answers are attached: this branch, or its parent if this branch is on the last level.
   */
  home: Branch;
  answers: Branch[];
  /** The reply that this branch answers, unless that reply is directly above. */
  to: Post | undefined;
}

/**
 * Builds the tree of replies in one pass, whatever its depth. A reply is attached below its parent if the
 * parent is earlier on the same page. A reply whose parent is on another page is at the top and names the
 * parent.
 */
export function treeOf(replies: readonly Post[], parentsOnOtherPages: ReadonlyMap<string, Post>): Branch[] {
  const top: Branch[] = [];
  const known = new Map<string, Branch>();
  const attachReply = (post: Post | null, above: Branch | undefined, to?: Post): Branch => {
    const level = (above?.level ?? 0) + 1;
    const branch: Branch = { post, level, home: undefined as never, answers: [], to };
    branch.home = above && level >= LEVELS ? above : branch;
    (above?.answers ?? top).push(branch);
    return branch;
  };
  for (const post of replies) {
    const { id, answeredId } = post;
    const above = answeredId === null ? undefined : known.get(answeredId);
    const other = answeredId === null ? undefined : parentsOnOtherPages.get(answeredId);
    if (above)
      known.set(
        id,
        attachReply(post, above.home, above.home === above ? undefined : (above.post ?? undefined)),
      );
    else if (answeredId === null || other) known.set(id, attachReply(post, undefined, other));
    else {
      const gap = attachReply(null, undefined);
      known.set(answeredId, gap);
      known.set(id, attachReply(post, gap));
    }
  }
  return top;
}

/** Some replies of a conversation as a tree, oldest first. Uses two queries in total. */
export function Thread({ replies, ctx }: { replies: readonly Post[]; ctx: PageContext }) {
  const reader = readerOf(ctx);
  const ids = replies.map(({ id }) => id);
  const here = new Set(ids);
  const missing = new Set(
    replies.flatMap(({ answeredId }) => answeredId ?? []).filter((id) => !here.has(id)),
  );
  const elsewhere = new Map(getPosts(ctx.core, reader, [...missing]).map((post) => [post.id, post]));
  return (
    <Branches
      branches={treeOf(replies, elsewhere)}
      ctx={ctx}
      details={cardDetailsOf(replies, ctx)}
      here={here}
    />
  );
}

interface ThreadProps {
  ctx: PageContext;
  details: ReturnType<typeof cardDetailsOf>;
  /** The ids on this page, for links within it. */
  here: ReadonlySet<string>;
}

function Branches({ branches, ...props }: ThreadProps & { branches: readonly Branch[] }) {
  return (
    <ol class="thread">
      {branches.map((branch) => (
        <li>
          {branch.post === null ? (
            <p class="gap">{props.ctx.messages.feed.thread.gap}</p>
          ) : (
            <PostCard {...props.details(branch.post)} hasAllActions>
              {branch.to && <Answers to={branch.to} {...props} />}
            </PostCard>
          )}
          {branch.answers.length > 0 && <Branches branches={branch.answers} {...props} />}
        </li>
      ))}
    </ol>
  );
}

/** Names the parent above a reply that is not directly below its parent. */
function Answers({ to, ctx, here }: Omit<ThreadProps, "details"> & { to: Post }) {
  const address = here.has(to.id) ? `#${to.id}` : `/posts/${to.id}`;
  return (
    <p class="in-answer">
      {ctx.messages.feed.thread.answers({ author: <bdi safe>{to.author.name}</bdi>, address })}
    </p>
  );
}
