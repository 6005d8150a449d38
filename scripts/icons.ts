/**
 * Renders the PNG icons for phones and messengers from src/web/assets/favicon.svg: `bun run icons`. Run it
 * after the logo has changed. The logo has a margin, so that a round mask does not cut it.
 */
import { join } from "node:path";
import { launch } from "../tests/browser.ts";

const ASSETS = join(import.meta.dir, "../src/web/assets");
const mark = await Bun.file(join(ASSETS, "favicon.svg")).text();
const browser = await launch();
for (const [name, size] of [
  ["icon-180", 180],
  ["icon-192", 192],
  ["icon-512", 512],
] as const) {
  const page = await browser.newPage({ viewport: { width: size, height: size }, colorScheme: "light" });
  await page.setContent(
    `<style>body{margin:0;display:grid;place-items:center;height:100vh;background:#fbf6ea}svg{width:62%;height:62%}</style>${mark}`,
  );
  await page.screenshot({ path: join(ASSETS, `${name}.png`) });
  await page.close();
}
await browser.close();
