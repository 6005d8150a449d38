/** @jsxImportSource @kitajs/html */
import {
  accentTones,
  BACKGROUNDS,
  DEFAULT_ACCENT,
} from "../../../core/identity/community-settings/accent.ts";
import { isPreview } from "../../request/forms.ts";
import type { PageContext } from "../../request/route.ts";

/** Browsers focus this element without a script (HTML §6.6.7). */
const FIRST = { autofocus: true };

/** The typed settings of the community, unchecked. */
export type TypedCommunity = Record<"name" | "line" | "accent" | "joining", string>;

/**
 * A small picture of the front page in both themes. It is an SVG, because the content security policy forbids
 * inline styles. assets/scripts/setup.js updates it.
 */
export function FrontPagePreview({ ctx, typed }: { ctx: PageContext; typed: TypedCommunity }) {
  const messages = ctx.messages.entry.setUp;
  const { day, night } = accentTones(/^#[0-9a-f]{6}$/.test(typed.accent) ? typed.accent : DEFAULT_ACCENT);
  return (
    <section
      class="front-preview"
      id="preview"
      tabindex="-1"
      aria-labelledby="preview-title"
      {...(isPreview(ctx.form) ? FIRST : {})}
    >
      <h2 id="preview-title">{ctx.messages.common.preview.title}</h2>
      <Screen ctx={ctx} typed={typed} theme="day" accent={day} />
      <Screen ctx={ctx} typed={typed} theme="night" accent={night} />
      {day === typed.accent || typed.accent === "" ? "" : <p class="hint">{messages.darker}</p>}
    </section>
  );
}

/** The stepped gable, as in favicon.svg. */
const GABLE = "M2 15V8h2V5h2V3h1V1h2v2h1v2h2v3h2v7H9.5v-3.5a1.5 1.5 0 0 0-3 0V15z";

function Screen({
  ctx,
  typed: { name, line, joining },
  theme,
  accent,
}: {
  ctx: PageContext;
  typed: TypedCommunity;
  theme: keyof typeof BACKGROUNDS;
  accent: string;
}) {
  const { emptyCommunity: messages, entry, feed, layout } = ctx.messages;
  const { paper, leaf } = BACKGROUNDS[theme];
  // The text has the colour of the other theme's background.
  const ink = BACKGROUNDS[theme === "day" ? "night" : "day"].paper;
  const button = Object.entries(messages.join).find(([way]) => way === joining)?.[1];
  return (
    <svg viewBox="0 0 360 190" role="img" aria-label={entry.setUp[theme]} color={ink}>
      <rect width="360" height="190" fill={paper} />
      <path transform="translate(16 11) scale(1.25)" d={GABLE} fill={accent} />
      <foreignObject x="44" y="9" width="300" height="26">
        <p class="front-name" dir="auto" data-shows="community.name" safe>
          {name}
        </p>
      </foreignObject>
      <rect y="42" width="360" height="2" fill={accent} />
      <foreignObject x="16" y="58" width="328" height="72">
        <p class="front-line" dir="auto" data-shows="community.line" data-else={feed.sidebar.place} safe>
          {line || feed.sidebar.place}
        </p>
      </foreignObject>
      <rect x="16" y="142" width="164" height="32" rx="4" fill={accent} />
      <text
        x="98"
        y="163"
        font-size="13"
        font-weight="600"
        text-anchor="middle"
        fill={theme === "day" ? leaf : paper}
      >
        {button ?? layout.signIn}
      </text>
    </svg>
  );
}
