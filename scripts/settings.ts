import { SETTINGS } from "../src/config/table.ts";
import { type AnySetting, descriptionOf, variableOf } from "../src/config/setting.ts";

export const OPERATING_PAGE = new URL("../docs/operating.md", import.meta.url);
const MARKED = /(<!-- settings: made by `bun run generate` -->\n)[\s\S]*?(<!-- end of settings -->)/;

/** Returns docs/operating.md with the table of all settings between its markers. */
export function withSettings(page: string): string {
  if (!MARKED.test(page)) throw new Error("docs/operating.md has no place for the settings");
  return page.replace(MARKED, (_, begin: string, end: string) => `${begin}\n${table()}\n\n${end}`);
}

function table(): string {
  const rows = Object.values<AnySetting>(SETTINGS).map((setting) => [
    `\`${variableOf(setting)}\``,
    typeOf(setting),
    setting.default === undefined ? (setting.defaultText ?? "none") : `\`${setting.default}\``,
    setting.isReloaded ? "reload" : "restart",
    meaningOf(setting),
  ]);
  const lines = [
    ["Setting", "Type", "Default", "Applied by", "Meaning"],
    Array<string>(5).fill("---"),
    ...rows,
  ];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function typeOf({ type, example }: AnySetting): string {
  return typeof example === "string" ? type : example.map((each) => `\`${each}\``).join(", ");
}

function meaningOf(setting: AnySetting): string {
  const { example, flag } = setting;
  const such = typeof example === "string" && example !== setting.default ? ` Example: \`${example}\`.` : "";
  const option = flag === undefined ? "" : ` Option: \`--${flag}\`.`;
  return `${descriptionOf(setting)}${such}${option}`.replaceAll("|", "\\|");
}
