// Signs people in with Guildhall on your own server, and reads the feed for them.
// Register a confidential app under Settings, Apps, with ORIGIN/callback as its redirect URL. Then:
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
  // Plain http is only for a community on this machine.
  { execute: new URL(GUILD).hostname === "localhost" ? [openid.allowInsecureRequests] : [] },
);

const HTML = { "content-type": "text/html; charset=utf-8" };

// Session id → person. Keep the sessions in your database: here, a restart signs everyone out.
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
    // The person declined, the response belongs to another sign-in, or a setting is wrong. See `error_description`.
    console.error(error.cause ?? error);
    response.writeHead(400, HTML).end(`<p>You are not signed in. <a href="/sign-in">Try again</a></p>`);
  }
});
server.listen(Number(PORT), () => console.log(`listening on ${server.address().port}`));

// 1. Send the person to Guildhall. State, nonce, and verifier stay in their session.
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

// 2. The person is back: check the response, exchange the code, and start your own session.
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

// 3. Call the API with the token. The token is valid for an hour. `refresh_token` gets the next one.
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
