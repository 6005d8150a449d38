/**
 * `bun run display-font` creates two files of the visual design (docs/adr/0062-visual-design.md). One is the
 * display font, subset to the letters of its languages. The other is the icon for browsers without SVG icons.
 * Both files are in the repository. Run the script again when the font or the logo changes.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";
import { launch } from "../tests/browser.ts";

const ASSETS = join(import.meta.dir, "../src/web/assets");

/** ASCII, the letters of Latin-1 (German, Spanish and similar languages), and typographic punctuation. */
const LETTERS = `${range(0x20, 0x7e)}${range(0xc0, 0xff).replaceAll(/[×÷]/g, "")}\u{a0}¡¿«»\u{a7}°·–—‘’‚“”„…‹›€`;

const whole = fileURLToPath(
  import.meta.resolve("@fontsource/young-serif/files/young-serif-latin-400-normal.woff2"),
);
// The published types lack these options.
const choices: object = { keepFeatures: ["kern"], noHinting: true, dropTables: ["gasp"] };
const font = await subsetFont(readFileSync(whole), LETTERS, {
  targetFormat: "woff2",
  noLayoutClosure: true,
  ...choices,
});
writeFileSync(join(ASSETS, "young-serif.woff2"), font);

const browser = await launch();
const svg = readFileSync(join(ASSETS, "favicon.svg"), "utf8");
const drawn: Buffer[] = [];
for (const size of [16, 32]) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>*{margin:0;display:block}</style>${svg}`);
  drawn.push(await page.screenshot({ omitBackground: true }));
}
await browser.close();
writeFileSync(join(ASSETS, "favicon.ico"), icon(drawn, [16, 32]));

function range(first: number, last: number): string {
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, i) => first + i));
}

/** PNG pictures as one ICO file; sizes in px. */
function icon(pictures: readonly Buffer[], sizes: readonly number[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let at = head.length;
  for (const [i, picture] of pictures.entries()) {
    const entry = 6 + 16 * i;
    head.fill(sizes[i] ?? 0, entry, entry + 2);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(picture.length, entry + 8);
    head.writeUInt32LE(at, entry + 12);
    at += picture.length;
  }
  return Buffer.concat([head, ...pictures]);
}
