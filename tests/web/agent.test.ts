import { expect, test } from "bun:test";
import { agentName } from "../../src/web/request/agent.ts";
import { messagesOf } from "../../src/locale/messages.ts";

const APPLE = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko)";

test("user agents of 2026 get the names of their browser and system", () => {
  const names = [
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Chrome/152.0.0.0 Safari/537.36`,
      "Chrome on Windows",
    ],
    [
      `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Chrome/152.0.0.0 Mobile Safari/537.36`,
      "Chrome on Android",
    ],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) ${APPLE} CriOS/152.0.7444.77 Mobile/15E148 Safari/604.1`,
      "Chrome on iPhone",
    ],
    [
      `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME} Chrome/152.0.0.0 Safari/537.36`,
      "Chrome on ChromeOS",
    ],
    [
      `Mozilla/5.0 (X11; Linux x86_64) ${CHROME} HeadlessChrome/153.0.0.0 Safari/537.36`,
      "Headless Chrome on Linux",
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Chrome/152.0.0.0 Safari/537.36 Edg/152.0.0.0`,
      "Edge on Windows",
    ],
    [
      `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Chrome/152.0.0.0 Mobile Safari/537.36 EdgA/152.0.0.0`,
      "Edge on Android",
    ],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${APPLE} Version/26.0 EdgiOS/152.0.3800.58 Mobile/15E148 Safari/604.1`,
      "Edge on iPhone",
    ],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:151.0) Gecko/20100101 Firefox/151.0", "Firefox on Linux"],
    ["Mozilla/5.0 (Android 16; Mobile; rv:151.0) Gecko/151.0 Firefox/151.0", "Firefox on Android"],
    [
      `Mozilla/5.0 (iPad; CPU OS 26_1 like Mac OS X) ${APPLE} FxiOS/151.0 Mobile/15E148 Safari/605.1.15`,
      "Firefox on iPad",
    ],
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/26.1 Safari/605.1.15`,
      "Safari on macOS",
    ],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${APPLE} Version/26.1 Mobile/15E148 Safari/604.1`,
      "Safari on iPhone",
    ],
    [
      `Mozilla/5.0 (iPad; CPU OS 18_7 like Mac OS X) ${APPLE} Version/26.1 Mobile/15E148 Safari/604.1`,
      "Safari on iPad",
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Chrome/152.0.0.0 Safari/537.36 OPR/136.0.0.0`,
      "Opera on Windows",
    ],
    [
      `Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) ${APPLE} Version/26.1 Mobile/15E148 Safari/604.1 OPT/6.3.0`,
      "Opera on iPhone",
    ],
    [
      `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} SamsungBrowser/30.0 Chrome/143.0.0.0 Mobile Safari/537.36`,
      "Samsung Internet on Android",
    ],
    [
      `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} SamsungBrowser/30.0 Chrome/143.0.0.0 Safari/537.36`,
      "Samsung Internet on Android",
    ],
    [
      `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${APPLE} Version/26.0 Safari/605.1.15 Ddg/26.0`,
      "DuckDuckGo on macOS",
    ],
    ["curl/8.17.0", "curl"],
    ["Mozilla/5.0 (Linux; Android 16) SomethingNew/1.0", "Unknown browser on Android"],
    ["python-httpx/0.28.1", "Unknown browser"],
    ["", "Unknown browser"],
  ] as const;
  for (const [agent, name] of names)
    expect([agent, agentName(messagesOf("en"), agent)]).toEqual([agent, name]);
});
