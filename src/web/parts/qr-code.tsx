/** @jsxImportSource @kitajs/html */
import encodeQr from "qr";

/** Blank modules around it: so the standard of these codes (ISO/IEC 18004) wants it. */
const QUIET = 4;

/**
 * An address as a QR code, dark on white whatever the page is: cameras read it best so. It is drawn into the
 * page, as the address in it is secret: nothing is loaded and nothing kept.
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

/** The dark modules of a row, each run of them as one box. */
function strokesOf(row: boolean[], y: number): string {
  const runs = row.map((dark, x) => (dark && row[x - 1] !== true ? row.slice(x).indexOf(false) : 0));
  return runs.map((long, x) => (long > 0 ? `M${x} ${y}h${long}v1h-${long}z` : "")).join("");
}
