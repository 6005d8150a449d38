// Receives webhooks: verifies the signature, ignores duplicates, answers at once, and works afterwards.
// Run it behind a proxy with https: WEBHOOK_SECRET=whsec_… node receiver.js (or: bun receiver.js)
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const SECRET = process.env.WEBHOOK_SECRET ?? "";
const PORT = Number(process.env.PORT ?? 3000);
const TOLERANCE_SECONDS = 5 * 60;
const BODY_MAX = 1_000_000;

// Keep both in your database: here, a restart loses them.
const seen = new Set();
const queue = [];

const server = createServer(async (request, response) => {
  const body = await read(request);
  if (body === undefined || !isGenuine(request.headers, body)) return response.writeHead(401).end();
  const id = request.headers["webhook-id"];
  if (!seen.has(id)) {
    seen.add(id);
    queue.push(JSON.parse(body));
    setImmediate(work);
  }
  // Any 2xx within ten seconds acknowledges the event. Otherwise Guildhall sends it again.
  response.writeHead(204).end();
});

server.listen(PORT, () => console.log(`listening on ${server.address().port}`));

function work() {
  for (const event of queue.splice(0)) {
    // Your code. For the types and their data, see https://guild.example/docs#events
    console.log(event.type, event.id, JSON.stringify(event.data));
  }
}

/** Standard Webhooks: HMAC-SHA256 of "id.timestamp.body", keyed with the base64 part of the secret. */
function isGenuine(headers, body) {
  const [id, timestamp] = [headers["webhook-id"], headers["webhook-timestamp"]];
  const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!id || !(ageSeconds <= TOLERANCE_SECONDS)) return false;
  const key = Buffer.from(SECRET.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  // During a rotation there are several signatures, separated by spaces.
  return String(headers["webhook-signature"])
    .split(" ")
    .filter((signature) => signature.startsWith("v1,"))
    .map((signature) => Buffer.from(signature.slice("v1,".length), "base64"))
    .some((sent) => sent.length === expected.length && timingSafeEqual(sent, expected));
}

/** The raw bytes. JSON that is parsed and serialized again has another signature. */
async function read(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > BODY_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
