/** @jsxImportSource @kitajs/html */
import encodeQr from "qr";

/** Blank modules around the code, as ISO/IEC 18004 requires. */
const QUIET = 4;

/**
 * A URL as a QR code. The code is dark on white on every page, because cameras read these colours best. The
 * code is inline SVG, because the encoded URL is secret. A separate image file could be cached.
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQr(text, "raw", { ecc: "medium", border: QUIET });
  const size = rows.length;
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path fill="#000" d={rows.map(strokesOf).join("")} />
    </svg>
  );
}

/** Returns the dark modules of a row as a path. Each run of modules is one box. */
function strokesOf(row: boolean[], y: number): string {
  const runs = row.map((dark, x) => (dark && row[x - 1] !== true ? row.slice(x).indexOf(false) : 0));
  return runs.map((long, x) => (long > 0 ? `M${x} ${y}h${long}v1h-${long}z` : "")).join("");
}
