/**
 * A TLS receiver that acknowledges every delivery at once. It reports how many deliveries arrived, and when
 * the last one arrived.
 */
const [folder = ""] = process.argv.slice(2);
let count = 0;
let last = 0;

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  development: false,
  tls: { cert: Bun.file(`${folder}/cert.pem`), key: Bun.file(`${folder}/key.pem`) },
  fetch(request) {
    if (request.method === "POST") {
      count++;
      last = performance.timeOrigin + performance.now();
      return new Response(null, { status: 204 });
    }
    if (request.url.endsWith("/reset")) count = 0;
    return new Response(String(request.url.endsWith("/last") ? last : count));
  },
});
console.log(JSON.stringify({ msg: "listening", url: server.url.origin }));
