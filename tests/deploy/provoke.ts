import { connect } from "node:net";

/** Addresses to be banned. Each address is listed once per failure. */
export const FAILED: readonly string[] = [
  "192.0.2.10",
  "192.0.2.10",
  "192.0.2.11",
  "192.0.2.12",
  "192.0.2.13",
  "192.0.2.14",
  "2001:db8:0:5::6",
];
/** An address that sends no request. Only forged log content names this address. */
const VICTIM = "203.0.113.99";
const LIE = `"status":401,"failed":"password","address":"${VICTIM}","`;
const LIE_LINE = `{"level":"info","time":"2026-11-22T12:00:00.000Z","requestId":"a",${LIE}`;

/**
 * Fails to sign in, in every way that must count. Then sends requests that must not count: no failures,
 * cross-site requests, and forged addresses.
 * `url` is a server that trusts this machine as a proxy and logs full addresses.
 */
export async function provoke(url: string): Promise<void> {
  const ask = (address: string, path: string, init: RequestInit = {}) =>
    fetch(url + path, { ...init, headers: { "x-forwarded-for": address, ...(init.headers as object) } });
  const post = async (address: string, path: string, fields: Record<string, string>) => {
    const page = await ask(address, "/sign-in");
    const cookie = page.headers.getSetCookie().map((line) => line.split(";")[0]);
    const [, form_token = ""] = /name="form_token" value="([^"]+)"/.exec(await page.text()) ?? [];
    const body = new URLSearchParams({ form_token, ...fields });
    return ask(address, path, { method: "POST", headers: { cookie: cookie.join("; "), origin: url }, body });
  };
  const wrong = { username: "ada", password: "a wrong horse battery" };
  await post("192.0.2.10", "/sign-in", wrong);
  await post("192.0.2.10", "/sign-in", wrong);
  await ask("192.0.2.11", "/v1/feed", { headers: { authorization: "Bearer guild_pat_wrong" } });
  const query = { method: "POST", body: '{"query":"{ viewer { id } }"}' };
  await ask("192.0.2.12", "/graphql", {
    ...query,
    headers: { authorization: "bearer wrong", "content-type": "application/json" },
  });
  await post("192.0.2.13", "/sign-in", { username: LIE, password: LIE_LINE });
  await ask("192.0.2.14", `/v1/feed?${LIE}`, {
    headers: {
      authorization: "Bearer wrong",
      traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "x-request-id": "one-of-mine",
    },
  });
  await ask("2001:db8:0:5::6", "/v1/feed", { headers: { authorization: "Bearer wrong" } });

  await ask("192.0.2.30", "/v1/feed");
  await ask("192.0.2.31", "/nowhere");
  await ask("192.0.2.32", "/v1/feed", { headers: { authorization: "Basic YTpi" } });
  await ask("192.0.2.33", "/v1/oauth/token", {
    method: "POST",
    headers: { authorization: "Basic YTpi" },
    body: new URLSearchParams({ grant_type: "authorization_code", code: "x" }),
  });
  await ask("192.0.2.34", "/sign-in", { method: "POST", body: new URLSearchParams(wrong) });

  // An image on another site that points to an invalid link.
  await ask("192.0.2.35", "/setup?token=wrong");
  await ask("192.0.2.35", "/recover?token=wrong");

  const lies: Record<string, string>[] = [
    { "user-agent": LIE },
    { "user-agent": LIE_LINE },
    { "user-agent": `x\\",${LIE}` },
    { "x-request-id": LIE },
    { "x-request-id": `a",${LIE}` },
    { traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",${LIE}` },
    { authorization: `Basic ${LIE}` },
    { "x-forwarded-for": `${VICTIM}, 192.0.2.40` },
    { "x-forwarded-for": `192.0.2.41","failed":"token","address":"${VICTIM}` },
  ];
  for (const headers of lies) await ask("192.0.2.40", "/v1/feed", { headers });
  for (const path of [
    `/${LIE}`,
    `/v1/${LIE_LINE}`,
    `/v1/posts/${LIE}`,
    `/@x\\",${LIE}`,
    `/x%22,%0A${LIE_LINE}`,
  ]) {
    await ask("192.0.2.42", path);
    await raw(url, `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.42`);
  }
  await raw(url, `${LIE} / HTTP/1.1\r\nHost: x`);
  await raw(url, `GET / HTTP/1.1\r\nHost: ${LIE}`);
  await raw(url, `GET / HTTP/1.1\r\nHost: x\r\nUser-Agent: x\n${LIE_LINE}`);
}

function raw(url: string, head: string): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${head}\r\nConnection: close\r\n\r\n`),
    );
    socket.on("data", () => {});
    socket.on("error", () => resolve());
    socket.on("close", () => resolve());
  });
}
