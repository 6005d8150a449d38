/** @jsxImportSource @kitajs/html */
import {
  contrastOf,
  lowContrastBackgrounds,
  BACKGROUNDS,
  DEFAULT_ACCENT,
  accentTones,
} from "../../../core/identity/community-settings/accent.ts";
import type { PersonContext } from "../../request/route.ts";

/**
 * Shows a colour by day and by night, with its contrast ratios. It is an SVG, because the content security
 * policy forbids inline styles.
 */
export function AccentPreview({ ctx, accent }: { ctx: PersonContext; accent: string }) {
  const messages = ctx.messages.community.admin.preview;
  const colour = /^#[0-9a-f]{6}$/.test(accent) ? accent : DEFAULT_ACCENT;
  const { day, night } = accentTones(colour);
  return (
    <div class="accent-preview" id="accent-preview">
      <Swatch grounds={BACKGROUNDS.day} colour={colour} ctx={ctx} label={messages.day} />
      <Swatch grounds={BACKGROUNDS.night} colour={night} ctx={ctx} label={messages.night} />
      {lowContrastBackgrounds(colour).length > 0 ? <p class="fault">{messages.faint({ near: day })}</p> : ""}
    </div>
  );
}

function Swatch({
  grounds,
  colour,
  label,
  ctx,
}: {
  grounds: Readonly<Record<"paper" | "leaf" | "sheet", string>>;
  colour: string;
  label: string;
  ctx: PersonContext;
}) {
  const messages = ctx.messages.community.admin.preview;
  const figures = (["paper", "leaf", "sheet"] as const).map((name) => contrastOf(colour, grounds[name]));
  const least = Math.min(...figures);
  return (
    <figure>
      <svg viewBox="0 0 240 96" role="img" aria-label={label}>
        <rect width="240" height="96" fill={grounds.paper} />
        <rect x="12" y="12" width="104" height="72" rx="4" fill={grounds.leaf} />
        <rect x="124" y="12" width="104" height="72" rx="4" fill={grounds.sheet} />
        <text x="24" y="40" font-size="15" fill={colour} text-decoration="underline">
          {messages.link}
        </text>
        <rect x="24" y="52" width="80" height="24" rx="4" fill={colour} />
        <text x="64" y="69" font-size="13" text-anchor="middle" fill={grounds.leaf}>
          {messages.button}
        </text>
        <text x="136" y="40" font-size="15" fill={colour} text-decoration="underline">
          {messages.link}
        </text>
      </svg>
      <figcaption class="hint">
        <span safe>{`${label}: ${messages.least({ ratio: ctx.messages.formats.decimal(least, 1) })}`}</span>{" "}
        <code safe>{colour}</code>
      </figcaption>
    </figure>
  );
}
