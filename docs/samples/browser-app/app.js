// Signs in with PKCE, reads the feed, and publishes a post. No server, no library, no build step.
// Register a public app under Settings, Apps, with the URL of this page as its redirect URL. Then change two lines:
const GUILD = "https://guild.example";
const CLIENT_ID = "app_…";

const SCOPE = "openid profile feed:read feed:write";
const REDIRECT_URI = location.origin + location.pathname;
const $ = (id) => document.getElementById(id);

let server;

$("sign-in").onclick = signIn;
$("sign-out").onclick = signOut;
$("composer").onsubmit = publish;
await attempt(start);

async function start() {
  // Discovery (RFC 8414): this document has all other URLs.
  server = await (await fetch(`${GUILD}/.well-known/oauth-authorization-server`)).json();
  const answer = new URLSearchParams(location.search);
  try {
    if (answer.has("state")) await finishSignIn(answer);
  } finally {
    await showPerson();
  }
}

async function showPerson() {
  const isSignedIn = sessionStorage.getItem("tokens") !== null;
  $("sign-in").hidden = isSignedIn;
  $("signed-in").hidden = !isSignedIn;
  if (!isSignedIn) return;
  const { data } = await api("/graphql", { body: { query: "{ viewer { builder { name } } }" } });
  $("name").textContent = data.viewer.builder.name;
  await showPosts();
}

// 1. Send the person to Guildhall. The verifier stays in this tab: only this tab can use the code.
async function signIn() {
  const [verifier, state] = [random(), random()];
  sessionStorage.setItem("sign-in", JSON.stringify({ verifier, state }));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const query = new URLSearchParams({
    response_type: "code",
    client_id: CLIENT_ID,
    redirect_uri: REDIRECT_URI,
    scope: SCOPE,
    state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: "S256",
  });
  location.assign(`${server.authorization_endpoint}?${query}`);
}

// 2. The person is back, with a code or an error. Exchange the code for tokens.
async function finishSignIn(answer) {
  const { verifier, state } = JSON.parse(sessionStorage.getItem("sign-in") ?? "{}");
  sessionStorage.removeItem("sign-in");
  history.replaceState(null, "", REDIRECT_URI);
  if (answer.get("state") !== state || answer.get("iss") !== server.issuer)
    throw new Error("This answer belongs to another sign-in. Try again.");
  if (answer.has("error")) throw new Error(answer.get("error_description") ?? answer.get("error"));
  await fetchTokens({
    grant_type: "authorization_code",
    code: answer.get("code"),
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
  });
}

async function fetchTokens(grant) {
  const body = new URLSearchParams({ ...grant, client_id: CLIENT_ID });
  const answer = await fetch(server.token_endpoint, { method: "POST", body });
  const tokens = await answer.json();
  if (!answer.ok) {
    sessionStorage.removeItem("tokens");
    throw new Error(tokens.error_description);
  }
  sessionStorage.setItem("tokens", JSON.stringify(tokens));
  return tokens;
}

// 3. Call the API. An access token is valid for an hour. A refresh token gets the next one, once.
async function api(address, { body, headers } = {}, isRetry = false) {
  const { access_token, refresh_token } = JSON.parse(sessionStorage.getItem("tokens"));
  const answer = await fetch(new URL(address, GUILD), {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json", ...headers },
    body: body && JSON.stringify(body),
  });
  if (answer.status === 401 && !isRetry) {
    await fetchTokens({ grant_type: "refresh_token", refresh_token });
    return api(address, { body, headers }, true);
  }
  const answered = await answer.json();
  if (!answer.ok) throw new Error(answered.message);
  return answered;
}

async function showPosts(cursor) {
  const query = new URLSearchParams({ limit: 10, ...(cursor && { cursor }) });
  const { data, next } = await api(`/v1/feed?${query}`);
  $("feed").append(...data.map(item));
  $("more").hidden = next === null;
  $("more").onclick = () => attempt(() => showPosts(next));
}

function publish(event) {
  event.preventDefault();
  const form = event.target;
  return attempt(async () => {
    // The key makes a retry safe: the same key publishes one post.
    const headers = { "idempotency-key": crypto.randomUUID() };
    const post = await api("/v1/feed", { body: { text: form.text.value }, headers });
    $("feed").prepend(item(post));
    form.reset();
  });
}

async function signOut() {
  const { refresh_token } = JSON.parse(sessionStorage.getItem("tokens"));
  sessionStorage.removeItem("tokens");
  const body = new URLSearchParams({ token: refresh_token, client_id: CLIENT_ID });
  await fetch(server.revocation_endpoint, { method: "POST", body });
  location.assign(REDIRECT_URI);
}

// Use textContent, never innerHTML: posts are written by other people.
function item({ author, text }) {
  const li = document.createElement("li");
  li.textContent = `${author.name}: ${text}`;
  return li;
}

async function attempt(work) {
  $("message").textContent = "";
  try {
    await work();
  } catch (error) {
    $("message").textContent = error.message;
  }
}

function random() {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
