/**
 * Draws the pictures of the demo's posts: `bun scripts/demo-pictures.ts`. Chromium renders each drawing, and
 * the result is stored as WebP in data/seed/pictures. The demo re-encodes these files like any upload.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { launch } from "../tests/browser.ts";

const FOLDER = join(import.meta.dir, "../data/seed/pictures");
const WIDTH = 960;
const HEIGHT = 540;
const FILE_MAX = 15_000;
const QUALITY = 60;

const rect = (x: number, y: number, width: number, height: number, fill: string, more = ""): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`;
const text = (x: number, y: number, size: number, fill: string, words: string, more = ""): string =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" ${more}>${words}</text>`;
const path = (d: string, stroke: string, width: number, more = ""): string =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`;

/** A week of shifts: a row for each person, and one gap. */
function slipway(): string {
  const crew = ["Maren", "Aino", "Joosep", "Kaarel", "Liis"];
  const days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
  const shifts = ["dd-nn-d", "-ddd--n", "nn--dd-", "d-nnn--", "--d-d-d"];
  const cells = shifts.flatMap((week, row) =>
    [...week].map((shift, day) => {
      const [x, y] = [196 + day * 104, 132 + row * 68];
      if (shift === "-") return rect(x, y, 96, 56, "#f3ede1", 'rx="8"');
      const [fill, words] = shift === "d" ? ["#e7b25c", "06–18"] : ["#3f5f8a", "18–06"];
      const ink = shift === "d" ? "#3a2a0c" : "#f4f6fa";
      return (
        rect(x, y, 96, 56, fill, 'rx="8"') + text(x + 48, y + 35, 19, ink, words, 'text-anchor="middle"')
      );
    }),
  );
  return (
    rect(0, 0, WIDTH, HEIGHT, "#fbf8f1") +
    text(36, 62, 32, "#2b2620", "Week 48", 'font-weight="700"') +
    text(188, 62, 22, "#7b7266", "MS Runö, crew of five") +
    days.map((day, nth) => text(244 + nth * 104, 112, 20, "#7b7266", day, 'text-anchor="middle"')).join("") +
    crew.map((name, row) => text(36, 168 + row * 68, 22, "#2b2620", name)).join("") +
    cells.join("") +
    rect(716, 200, 96, 56, "#fbe6e2", 'rx="8" stroke="#a4362b" stroke-width="3" stroke-dasharray="7 5"') +
    text(764, 235, 19, "#a4362b", "gap", 'text-anchor="middle"') +
    text(
      36,
      512,
      20,
      "#a4362b",
      "Saturday night: nobody on watch. Aino has rested 11 hours and could take it.",
    )
  );
}

/** An e-paper display in a wooden frame. */
function ferryDisplay(): string {
  const rows = [
    ["07:40", "Rohuküla – Heltermaa", "on time"],
    ["08:10", "Virtsu – Kuivastu", "+5 min"],
    ["08:55", "Rohuküla – Heltermaa", "on time"],
  ];
  const grain = [70, 96, 452, 486].map((y) =>
    path(`M40 ${y} C 300 ${y - 6}, 640 ${y + 8}, 920 ${y}`, "#a97c4b", 3),
  );
  return (
    rect(0, 0, WIDTH, HEIGHT, "#dcd6cb") +
    rect(36, 44, 888, 456, "#b88a57", 'rx="18"') +
    grain.join("") +
    rect(104, 112, 752, 320, "#8d6538", 'rx="6"') +
    rect(112, 120, 736, 304, "#eceae3", 'rx="3"') +
    text(140, 168, 26, "#26251f", "Next ferries", 'font-weight="700"') +
    text(820, 168, 26, "#26251f", "07:22", 'text-anchor="end"') +
    path("M140 186 H820", "#26251f", 3) +
    rows
      .map(([time = "", route = "", state = ""], nth) => {
        const y = 244 + nth * 66;
        const late = state.startsWith("+") ? rect(704, y - 36, 120, 50, "#26251f", 'rx="4"') : "";
        return (
          text(140, y, 44, "#26251f", time, 'font-weight="700"') +
          text(282, y - 3, 28, "#26251f", route) +
          late +
          text(814, y - 3, 26, late ? "#eceae3" : "#26251f", state, 'text-anchor="end"')
        );
      })
      .join("")
  );
}

/** A street map with shadows and the route on the shaded side. */
function shadewalk(): string {
  const blocks = [
    [60, 40, 210, 130],
    [330, 40, 170, 130],
    [560, 40, 150, 210],
    [770, 40, 150, 130],
    [60, 240, 120, 240],
    [240, 240, 260, 90],
    [240, 390, 260, 100],
    [560, 310, 150, 180],
    [770, 240, 150, 250],
  ] as const;
  const trees = [
    [210, 200],
    [300, 206],
    [640, 270],
    [738, 170],
    [738, 228],
    [520, 372],
    [210, 360],
  ];
  return (
    rect(0, 0, WIDTH, HEIGHT, "#f6efdc") +
    blocks
      .map(
        ([x, y, w, h]) =>
          `<path d="M${x} ${y} L${x + 34} ${y + 40} V${y + h + 40} H${x + w + 34} V${y + 40} L${x + w} ${y} Z" fill="#8b93b5" opacity="0.55"/>`,
      )
      .join("") +
    blocks.map(([x, y, w, h]) => rect(x, y, w, h, "#d9c6a5", 'rx="5"')).join("") +
    trees.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="17" fill="#5f8a5b"/>`).join("") +
    path("M20 196 H526 V281 H738 V520", "#9a2f2f", 10) +
    path("M20 196 H526 V281 H738 V520", "#fff", 3, 'stroke-dasharray="2 16"') +
    '<circle cx="20" cy="196" r="15" fill="#9a2f2f"/><circle cx="738" cy="515" r="15" fill="#9a2f2f"/>' +
    '<circle cx="6" cy="6" r="46" fill="#eaa83a"/>' +
    rect(36, 420, 344, 84, "#fffdf7", 'rx="12" stroke="#d8cdb6" stroke-width="2"') +
    text(58, 456, 24, "#2b2620", "14 min, 91% in the shade", 'font-weight="700"') +
    text(58, 486, 19, "#6f6557", "2 min longer than the sunny way")
  );
}

/** Pitch of four voices over 24 bars. The basses return. */
function pitchpipe(): string {
  const voices = [
    ["Soprano", "#b3423c", 0.4, 0],
    ["Alto", "#c98a2c", 0.7, 0],
    ["Tenor", "#3f7d6b", 1.5, 0],
    ["Bass", "#3b5c94", 1.1, 20],
  ] as const;
  const line = (drift: number, back: number, salt: number): string =>
    Array.from({ length: 97 }, (_, at) => {
      const bar = at / 4;
      const sunk = Math.max(0, bar - 14) * drift * 11 + Math.max(0, bar - 6) * drift;
      const fall = back > 0 && bar > back ? sunk * Math.max(0, 1 - (bar - back) / 1.6) : sunk;
      const wave = Math.sin(at * (0.9 + salt * 0.21)) * 5 + Math.sin(at * 0.37 + salt) * 4;
      return `${at === 0 ? "M" : "L"}${70 + at * 8.6} ${(196 + salt * 9 + fall + wave).toFixed(0)}`;
    }).join(" ");
  return (
    rect(0, 0, WIDTH, HEIGHT, "#201d1b") +
    Array.from({ length: 25 }, (_, bar) =>
      path(`M${70 + bar * 34.4} 90 V470`, bar % 4 ? "#2e2a27" : "#453f3a", 2),
    ).join("") +
    path("M70 206 H896", "#6b6259", 2, 'stroke-dasharray="4 8"') +
    text(56, 212, 18, "#a79c8f", "A", 'text-anchor="end"') +
    voices.map(([, colour, drift, back], nth) => path(line(drift, back, nth), colour, 5)).join("") +
    voices
      .map(
        ([name, colour], nth) =>
          rect(70 + nth * 150, 42, 16, 16, colour, 'rx="4"') + text(96 + nth * 150, 57, 20, "#efe7da", name),
      )
      .join("") +
    [1, 5, 9, 13, 17, 21].map((bar) => text(70 + (bar - 1) * 34.4, 500, 18, "#a79c8f", `${bar}`)).join("") +
    text(548, 116, 20, "#efe7da", "bar 14: “heaven”") +
    path("M540 100 V470", "#efe7da", 2, 'stroke-dasharray="3 7"')
  );
}

/** A lighthouse in large pixels. */
function lamplighter(): string {
  const PIXEL = 12;
  const cell = (x: number, y: number, w: number, h: number, fill: string): string =>
    rect(x * PIXEL, y * PIXEL, w * PIXEL, h * PIXEL, fill, 'shape-rendering="crispEdges"');
  const stars = [5, 3, 17, 8, 29, 4, 44, 2, 58, 7, 66, 3, 73, 10, 38, 11];
  const beam = Array.from({ length: 46 }, (_, at) =>
    cell(24 + at, 14 + Math.floor(at / 4), 1, 3 + Math.floor(at / 6), "#e9c46a"),
  );
  const ship = (x: number, y: number, lit: boolean): string => {
    const hull = lit ? "#c2543f" : "#2a3350";
    const sail = lit ? "#f6ecd2" : "#39446a";
    return (
      cell(x, y, 7, 1, hull) +
      cell(x + 1, y + 1, 5, 1, hull) +
      cell(x + 3, y - 5, 1, 5, hull) +
      cell(x + 4, y - 4, 2, 3, sail)
    );
  };
  return (
    rect(0, 0, WIDTH, HEIGHT, "#141a33") +
    cell(0, 30, 80, 15, "#1c2748") +
    stars.flatMap((x, at) => (at % 2 === 0 ? [cell(x, stars[at + 1] ?? 0, 1, 1, "#8d98c4")] : [])).join("") +
    `<g opacity="0.85">${beam.join("")}</g>` +
    Array.from({ length: 26 }, (_, at) => cell((at * 13) % 78, 31 + ((at * 5) % 13), 3, 1, "#26345f")).join(
      "",
    ) +
    cell(10, 36, 22, 9, "#2d2a33") +
    cell(13, 33, 15, 3, "#3a3641") +
    Array.from({ length: 5 }, (_, at) => cell(17, 17 + at * 3, 6, 3, at % 2 ? "#b9473a" : "#efe6d4")).join(
      "",
    ) +
    cell(16, 32, 8, 1, "#6a6472") +
    cell(17, 13, 6, 4, "#f7dd8b") +
    cell(16, 12, 8, 1, "#3a3641") +
    cell(18, 10, 4, 2, "#b9473a") +
    ship(62, 29, true) +
    ship(44, 38, false) +
    ship(70, 40, false)
  );
}

const drawings = {
  "slipway.webp": slipway(),
  "ferry-display.webp": ferryDisplay(),
  "shadewalk.webp": shadewalk(),
  "pitchpipe.webp": pitchpipe(),
  "lamplighter.webp": lamplighter(),
};

mkdirSync(FOLDER, { recursive: true });
const browser = await launch();
const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
for (const [name, drawing] of Object.entries(drawings)) {
  await page.setContent(
    `<style>body{margin:0}svg{display:block;font-family:sans-serif}</style>
     <svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">${drawing}</svg>`,
  );
  const screenshot = await page.screenshot();
  const [drawn = screenshot] = [
    await new Bun.Image(screenshot).webp({ lossless: true }).bytes(),
    await new Bun.Image(screenshot).webp({ quality: QUALITY }).bytes(),
  ].sort((a, b) => a.length - b.length);
  if (drawn.length > FILE_MAX) throw new Error(`${name} has ${drawn.length} bytes`);
  writeFileSync(join(FOLDER, name), drawn);
  console.log(`${name} ${drawn.length} bytes`);
}
await browser.close();
