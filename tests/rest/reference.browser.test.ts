import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { isStaffScope } from "../../src/core/identity/access/scopes.ts";
import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { ROUTES } from "../routes.ts";
import { openApiDocument } from "../../src/rest/openapi.ts";
import { OPEN } from "../../src/operations/open.ts";
import { renderReference } from "../../src/rest/docs/reference.tsx";
import {
  closeContexts,
  FAINT_TEXTS,
  hasChromium,
  newContext,
  REPORT_VIOLATIONS,
  WIDTHS,
} from "../browser.ts";
import { createMemberToken, type TestServer, createMember, openTestServer } from "../support.ts";
import { png } from "../media/sample-images.ts";
import { createBuilder } from "../../src/core/identity/accounts/administration.ts";

/**
 * Statuses of operations whose example body names an object that does not exist. `markNotificationsRead`
 * ignores unknown ids.
 */
const IN_BODIES: Readonly<Record<string, number>> = {
  setAvatar: 422,
  markNotificationsRead: 200,
  decideMany: 200,
};

describe("the reference for people", () => {
  test("shows every operation with its anchor, method, path, summary and scope", async () => {
    await using server = openTestServer();
    const response = await fetch(`${server.url}/docs`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const sections = await operationSections(await response.text());
    expect([...sections.keys()]).toEqual([...[...ROUTES, ...OPEN].map(({ id }) => id), "getOpenApi"]);
    for (const { id, method, path, summary, scope, orScopes } of ROUTES) {
      const shown = sections.get(id);
      expect(shown).toContain(`${method}${path}`);
      expect(shown).toContain(Bun.escapeHTML(summary));
      expect(shown).toContain(
        orScopes
          ? `Requires one of these scopes: ${[scope, ...orScopes].join(", ")}.`
          : `Requires the ${scope} scope.`,
      );
    }
  });

  test("links only to existing targets", async () => {
    const page = referenceOf("https://guild.test");
    const ids = await attributesOf(page, "[id]", "id");
    expect(new Set(ids).size).toBe(ids.length);
    const targets = (await attributesOf(page, "a[href^='#']", "href")).map((href) => href.slice(1));
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
  });

  test("has a stylesheet that is cacheable for as long as the page names it", async () => {
    await using server = openTestServer();
    const page = await (await fetch(`${server.url}/docs`)).text();
    const [href] = await attributesOf(page, "link[rel=stylesheet]", "href");
    const response = await fetch(server.url + href);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/css; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    const unnamed = await fetch(`${server.url}/docs/docs.css?v=another`);
    expect(unnamed.headers.get("cache-control")).toBe("no-cache");
  });

  test("answers any other path under /docs with 404 and the error body", async () => {
    await using server = openTestServer();
    const cases = [
      ["GET", "/docs/"],
      ["GET", "/docs/nothing"],
      ["GET", "/docs/../docs/docs.css.map"],
      ["POST", "/docs"],
      ["DELETE", "/docs/docs.css"],
    ] as const;
    for (const [method, path] of cases) {
      const response = await fetch(server.url + path, { method });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({
        error: "not_found",
        code: expect.any(String),
        message: expect.any(String),
        docs: expect.any(String),
      });
    }
  });

  test("escapes everything from the document", async () => {
    const document = openApiDocument(ROUTES, "https://guild.test", "1.0.0");
    const hostile = renderReference(poisoned(document) as Record<string, unknown>, {
      name: "Guildhall",
      contact: "",
    });
    expect(hostile).toContain("&lt;img src=x onerror=");
    const known = await markupOf(renderReference(document, { name: "Guildhall", contact: "" }));
    expect([...(await markupOf(hostile))].filter((element) => !known.has(element))).toEqual([]);
  });

  test.skipIf(Bun.which("curl") === null)("shows examples that work when they are pasted", async () => {
    await using server = openTestServer();
    let { token } = createMember(server.core, "ada");
    for (const username of ["bo", "cy"]) createMember(server.core, username);
    createBuilder(server.core, OPERATOR, { username: "root", name: "Root", role: "admin" });
    const admin = createMemberToken(server.core, "root", ["admin"]).token;
    writeFileSync(join(server.folder, "picture.png"), png(20, 20));
    for (const [id, command] of await commandsOf(referenceOf(server.url))) {
      const operation = ROUTES.find((item) => item.id === id);
      const shell = Bun.spawn(["sh", "-c", command.replace("curl ", "curl -s -w '\\n%{http_code}' ")], {
        cwd: server.folder,
        env: { ...process.env, TOKEN: isStaffScope(operation?.scope ?? "") ? admin : token, NO_PROXY: "*" },
        stderr: "inherit",
      });
      const output = await new Response(shell.stdout).text();
      const status = Number(output.slice(output.lastIndexOf("\n") + 1));
      const answer = operation?.answer.status ?? 200;
      // The example ids do not exist in a new community. `after` may be any position.
      const names = command.replaceAll(/after=\w+/g, "").includes("_01kafzq8e5f2r8v0j3n6s1t4wx");
      // If the unknown id is in a body, the status is not 404.
      const expected = names ? (IN_BODIES[id] ?? 404) : answer;
      expect(`${id} ${status}`).toBe(`${id} ${expected}`);
      // The previous example suspended ada and thereby ended her tokens.
      if (id === "restoreBuilder") ({ token } = createMemberToken(server.core, "ada"));
    }
  });
});

describe.skipIf(!hasChromium)("the reference in a browser", () => {
  let server: TestServer & AsyncDisposable;

  beforeAll(() => {
    server = openTestServer();
  });

  afterAll(async () => {
    await closeContexts();
    await server[Symbol.asyncDispose]();
  });

  for (const [width, other, colorScheme] of [
    [360, 768, "light"],
    [1440, 1280, "dark"],
  ] as const) {
    test(`at ${width} and ${other} px, ${colorScheme}: does not overflow, loads only its origin, is readable and logs no error`, async () => {
      const context = await newContext({
        viewport: { width, height: 900 },
        colorScheme,
        reducedMotion: "reduce",
      });
      const page = await context.newPage();
      const complaints: string[] = [];
      const requested: string[] = [];
      page.on("console", (message) => complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("requestfailed", (request) => complaints.push(`failed: ${request.url()}`));
      page.on("request", (request) => requested.push(new URL(request.url()).origin));
      await page.addInitScript(REPORT_VIOLATIONS);
      await page.goto(`${server.url}/docs`);

      const [scrollWidth, clientWidth] = (await page.evaluate(WIDTHS)) as [number, number];
      expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
      expect(await page.evaluate(FAINT_TEXTS)).toEqual([]);
      await checkContents(page, width);
      expect(requested.length).toBe(2);
      // The contrast does not depend on the width.
      await page.setViewportSize({ width: other, height: 900 });
      const [otherScrollWidth, otherClientWidth] = (await page.evaluate(WIDTHS)) as [number, number];
      expect(otherScrollWidth).toBeLessThanOrEqual(otherClientWidth);
      await checkContents(page, other);
      await page.setViewportSize({ width, height: 900 });
      for (const path of ["/docs/errors", "/docs/graphql", "/docs/oauth", "/docs/samples"]) {
        await page.goto(server.url + path);
        const [scrolled, shown] = (await page.evaluate(WIDTHS)) as [number, number];
        expect([path, scrolled]).toEqual([path, Math.min(scrolled, shown)]);
        expect([path, await page.evaluate(FAINT_TEXTS)]).toEqual([path, []]);
      }
      expect(new Set(requested)).toEqual(new Set([server.url]));
      expect(complaints).toEqual([]);
      await context.close();
    });
  }
});

/**
 * Checks that the contents open on demand on a narrow screen and are a sidebar on a wide one. Checks that a
 * link leads to its operation.
 */
async function checkContents(page: Page, width: number): Promise<void> {
  // A narrow screen that shows the contents already has opened them.
  const isOpen = (await page.locator("details[open]").count()) > 0;
  const isFolded = width < 960 && !isOpen;
  expect(await page.locator('nav[aria-label="Contents"]:visible').count()).toBe(isFolded ? 0 : 1);
  if (isFolded) await page.locator("summary").click();
  await page.locator('nav:visible a[href="#createPost"]').click();
  const top = (await page.locator("#createPost").boundingBox())?.y ?? Number.NaN;
  expect(top).toBeGreaterThan(52);
  expect(top).toBeLessThan(120);
}

function referenceOf(origin: string): string {
  return renderReference(openApiDocument(ROUTES, origin, "1.0.0"), { name: "Guildhall", contact: "" });
}

/** Returns the text of each operation by its anchor, with collapsed white space. */
async function operationSections(page: string): Promise<Map<string, string>> {
  const sections = new Map<string, string>();
  let id = "";
  await new HTMLRewriter()
    .on("section.operation", {
      element(section) {
        id = section.getAttribute("aria-labelledby") ?? "";
        sections.set(id, "");
      },
    })
    .on("section.operation *", { text: ({ text }) => void sections.set(id, sections.get(id) + text) })
    .transform(new Response(page))
    .text();
  return new Map([...sections].map(([key, text]) => [key, text.replaceAll(/\s+/g, " ")]));
}

async function attributesOf(page: string, selector: string, name: string): Promise<string[]> {
  const values: string[] = [];
  await new HTMLRewriter()
    .on(selector, { element: (element) => void values.push(element.getAttribute(name) ?? "") })
    .transform(new Response(page))
    .text();
  return values;
}

/** Returns the curl command of each operation as a reader copies it. */
async function commandsOf(page: string): Promise<Map<string, string>> {
  const commands = new Map<string, string>();
  for (const [section, id] of page.matchAll(
    /<section class="operation[^>]*labelledby="(\w+)"[\s\S]*?<\/pre>/g,
  )) {
    const code = /<pre[^>]*><code>([\s\S]*)<\/code><\/pre>$/.exec(section)?.[1] ?? "";
    commands.set(id ?? "", unescape(code.replaceAll(/<[^>]*>/g, "")));
  }
  return commands;
}

function unescape(html: string): string {
  const names: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&", "#x27": "'", "#39": "'" };
  return html.replaceAll(/&([#\w]+);/g, (entity, name: string) => names[name] ?? entity);
}

/** Returns the element names of a page with their attribute names. */
async function markupOf(page: string): Promise<Set<string>> {
  const elements = new Set<string>();
  await new HTMLRewriter()
    .on("*", {
      element: ({ tagName, attributes }) =>
        void elements.add(`${tagName} ${[...attributes].map(([name]) => name).join(" ")}`),
    })
    .transform(new Response(page))
    .text();
  return elements;
}

/** Returns the value with an attack appended to every text. */
function poisoned(value: unknown, key = ""): unknown {
  if (typeof value === "string") return isStructure(key) ? value : `${value}"'><img src=x onerror=alert(1)>&`;
  if (Array.isArray(value)) return value.map((item) => poisoned(item, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, poisoned(part, name)]));
}

/** Returns whether the key controls the page's structure. Such values come only from our code. */
function isStructure(key: string): boolean {
  return ["$ref", "in", "type", "pattern", "format"].includes(key);
}
