import type { Visit } from "../http/visit.ts";
import access from "./assets/access.css" with { type: "text" };
import board from "./assets/board.css" with { type: "text" };
import community from "./assets/community.css" with { type: "text" };
import forms from "./assets/forms.css" with { type: "text" };
import frame from "./assets/frame.css" with { type: "text" };
import lists from "./assets/lists.css" with { type: "text" };
import people from "./assets/people.css" with { type: "text" };
import passkeys from "./assets/passkeys.js" with { type: "text" };

/** Something a page loads. The address changes with its content, so that a browser may keep it for good. */
export interface Asset {
  path: string;
  address: string;
  type: string;
  text: string;
}

export const STYLESHEET = asset(
  "/assets/guildhall.css",
  "text/css; charset=utf-8",
  frame + forms + lists + community + board + people + access,
);
export const SCRIPT = asset(
  "/assets/passkeys.js",
  "text/javascript; charset=utf-8",
  passkeys as unknown as string,
);

function asset(path: string, type: string, text: string): Asset {
  return { path, type, text, address: `${path}?v=${Bun.hash(text).toString(36)}` };
}

export function assetAnswer(visit: Visit, { address, path, type, text }: Asset): Response {
  const isNamed = `${path}?${visit.query}` === address;
  return new Response(text, {
    headers: {
      ...visit.headers,
      "content-type": type,
      "cache-control": isNamed ? "public, max-age=31536000, immutable" : "no-cache",
    },
  });
}
