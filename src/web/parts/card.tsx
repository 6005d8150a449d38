/** @jsxImportSource @kitajs/html */
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
  const { description, kind = "website", path, picture, feed } = card;
  const url = `${origin}${path}`;
  return (
    <>
      {description === "" ? "" : <meta name="description" content={description} />}
      <link rel="canonical" href={url} />
      <meta property="og:type" content={kind} />
      <meta property="og:site_name" content={name} />
      <meta property="og:title" content={title} />
      {description === "" ? "" : <meta property="og:description" content={description} />}
      <meta property="og:url" content={url} />
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
    </>
  );
}

const FEED_TYPES = [
  ["atom", "application/atom+xml"],
  ["json", "application/feed+json"],
] as const;
