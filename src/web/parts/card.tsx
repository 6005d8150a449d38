/** @jsxImportSource @kitajs/html */
import { jsonForScript } from "./job-posting.ts";
import { logoImage } from "./logo.tsx";
import type { LinkPreview, PageContext } from "../request/route.ts";

/** Width of the picture in a link preview. */
const LARGE = 480;

/** The meta tags of a link preview. */
export function CardTags({
  ctx,
  card,
  title,
  name,
}: {
  ctx: PageContext;
  card: LinkPreview;
  title: string;
  name: string;
}) {
  const { origin } = ctx.core;
  const { description, kind = "website", path, picture, feed, data } = card;
  return (
    <>
      {description === "" ? "" : <meta name="description" content={description} />}
      {path === null ? (
        <meta name="robots" content="noindex" />
      ) : (
        <link rel="canonical" href={origin + path} />
      )}
      <meta property="og:type" content={kind} />
      <meta property="og:site_name" content={name} />
      <meta property="og:title" content={card.title ?? title} />
      {description === "" ? "" : <meta property="og:description" content={description} />}
      {path === null ? "" : <meta property="og:url" content={origin + path} />}
      <meta property="og:locale" content={ctx.messages.language} />
      <meta
        property="og:image"
        content={picture ?? origin + (logoImage(ctx.core, LARGE)?.path ?? "/icon-512.png")}
      />
      <meta
        name="twitter:card"
        content={picture !== undefined && kind === "article" ? "summary_large_image" : "summary"}
      />
      {feed === undefined
        ? ""
        : FEED_TYPES.map(([ending, type]) => (
            <link rel="alternate" type={type} title={feed.title} href={`${feed.path}.${ending}`} />
          ))}
      {/* Browsers do not run this element, because its type is not a script. */}
      {data === undefined ? "" : <script type="application/ld+json">{jsonForScript(data)}</script>}
    </>
  );
}

const FEED_TYPES = [
  ["atom", "application/atom+xml"],
  ["json", "application/feed+json"],
] as const;
