import type { PageRoute } from "../request/route.ts";
import { FEEDS } from "./feeds.ts";
import { SITEMAPS } from "./sitemap.ts";
import { OFFLINE_PAGE } from "./offline.tsx";
import { WELL_KNOWN } from "./well-known.ts";

/** Documents that programs read (docs/contract.md#9.21). */
export const DOCUMENTS: readonly PageRoute[] = [...FEEDS, ...SITEMAPS, ...WELL_KNOWN, OFFLINE_PAGE];
