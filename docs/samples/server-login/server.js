// Sign people in with Guildhall on a server of yours, and read the feed as them.
// Register a confidential app under Settings, Apps, with ORIGIN/callback as its redirect address. Then:
//   npm install openid-client@6
//   GUILD=https://guild.example CLIENT_ID=app_… CLIENT_SECRET=guild_secret_… ORIGIN=https://app.example node server.js
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import * as openid from "openid-client";

const { GUILD = "", CLIENT_ID = "", CLIENT_SECRET = "", PORT = "3000" } = process.env;
const guild = await openid.discovery(
  new URL(GUILD),
  CLIENT_ID,
  undefined,
  openid.ClientSecretBasic(CLIENT_SECRET),
  // Plain http is for a community on this machine alone.
  { execute: new URL(GUILD).hostname === "localhost" ? [openid.allowInsecureRequests] : [] },
);

const HTML = { "content-type": "text/html; charset=utf-8" };

// Session id → who it is. Keep it in your database: a restart signs everybody out here.
const sessions = new Map();

const server = createServer(async (request, response) => {
  const url = new URL(request.url, origin());
  const session = sessions.get(/(?:^|; )session=(\w+)/.exec(request.headers.cookie ?? "")?.[1]);
  try {
    if (url.pathname === "/sign-in") await signIn(response);
    else if (url.pathname === "/callback") await finish(response, url, session);
    else if (url.pathname === "/") await home(response, session);
    else response.writeHead(404).end();
  } catch (error) {
    // The person refused, the answer is another sign-in's, or a setting is wrong: `error_description` says which.
    console.error(error.cause ?? error);
    response.writeHead(400, HTML).end(`<p>You are not signed in. <a href="/sign-in">Try again</a></p>`);
  }
});
server.listen(Number(PORT), () => console.log(`listening on ${server.address().port}`));

// 1. Send the person to Guildhall. State, nonce and verifier stay in their session here.
async function signIn(response) {
  const state = openid.randomState();
  const nonce = openid.randomNonce();
  const verifier = openid.randomPKCECodeVerifier();
  const to = openid.buildAuthorizationUrl(guild, {
    redirect_uri: `${origin()}/callback`,
    scope: "openid profile feed:read",
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  response.setHeader("set-cookie", newSession({ state, nonce, verifier }));
  redirect(response, to.href);
}

// 2. The person is back: check the answer, exchange the code, and begin a session of your own.
async function finish(response, url, { state, nonce, verifier } = {}) {
  const tokens = await openid.authorizationCodeGrant(guild, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  });
  const { sub, name } = tokens.claims();
  // `sub` never changes; names do. A new session id makes a stolen old one useless.
  response.setHeader("set-cookie", newSession({ person: { sub, name }, token: tokens.access_token }));
  redirect(response, "/");
}

// 3. Call the API with the token. It lives for an hour; `refresh_token` gives the next one.
async function home(response, { person, token } = {}) {
  if (!person) return response.writeHead(200, HTML).end(`<a href="/sign-in">Sign in with Guildhall</a>`);
  const headers = { authorization: `Bearer ${token}` };
  const feed = await (await fetch(`${GUILD}/v1/feed?limit=5`, { headers })).json();
  const posts = (feed.data ?? []).map(({ author, text }) => `<li>${escape(`${author.name}: ${text}`)}</li>`);
  response.writeHead(200, HTML).end(`<p>Hello ${escape(person.name)}</p><ul>${posts.join("")}</ul>`);
}

function newSession(contents) {
  const id = randomBytes(16).toString("hex");
  sessions.set(id, contents);
  const secure = origin().startsWith("https:") ? "; Secure" : "";
  return `session=${id}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

function redirect(response, location) {
  response.writeHead(303, { location }).end();
}

function origin() {
  return process.env.ORIGIN ?? `http://127.0.0.1:${server.address().port}`;
}

function escape(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
