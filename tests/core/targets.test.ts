import { expect, test } from "bun:test";
import { checkTarget } from "../../src/core/outbox/webhooks/target.ts";

const rules = (addresses: string[], allow: string[] = []) => ({ resolve: async () => addresses, allow });
const verdict = (url: string, addresses = ["93.184.215.14"], allow: string[] = []): Promise<string> =>
  checkTarget(rules(addresses, allow), url).then(
    () => "accepted",
    (error: { error: string }) => error.error,
  );

/** Private and reserved addresses, in every spelling that a URL parser accepts. */
const INNER = [
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "10.255.255.255",
  "100.64.0.1",
  "100.127.255.255",
  "127.0.0.1",
  "127.1",
  "127.0.1",
  "127.255.255.254",
  "169.254.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.1",
  "192.0.0.8",
  "192.0.0.170",
  "192.0.2.1",
  "192.31.196.1",
  "192.52.193.1",
  "192.88.99.1",
  "192.168.0.1",
  "192.168.255.255",
  "192.175.48.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
  "0x7f.1",
  "0x7f000001",
  "0x7F.0x0.0x0.0x1",
  "2130706433",
  "017700000001",
  "0177.0.0.1",
  "0177.1",
  "127.0.0.1.",
  "①②⑦.⓪.⓪.①",
  "１２７.０.０.１",
  "127。0。0。1",
  "127．0．0．1",
  "%31%32%37.0.0.1",
  "0",
  "1",
  "0x0",
  "012.0.0.1",
  "0xa9fea9fe",
  "2852039166",
  "0251.0376.0251.0376",
  "3232235777",
  "0xc0a80101",
  "[::]",
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[0:0:0:0:0:ffff:7f00:1]",
  "[::ffff:10.0.0.1]",
  "[::ffff:169.254.169.254]",
  "[::7f00:1]",
  "[::127.0.0.1]",
  "[::10.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[64:ff9b::10.0.0.1]",
  "[64:ff9b:1::1]",
  "[100::1]",
  "[100:0:0:1::1]",
  "[2001::1]",
  "[2001:0:4136:e378::1]",
  "[2001:2::1]",
  "[2001:10::1]",
  "[2001:20::1]",
  "[2001:db8::1]",
  "[2001:db8:ffff::1]",
  "[2002::1]",
  "[2002:7f00:1::]",
  "[2002:a00:1::]",
  "[2620:4f:8000::1]",
  "[3fff::1]",
  "[3fff:fff::1]",
  "[4000::1]",
  "[5f00::1]",
  "[fc00::1]",
  "[fd00::1]",
  "[fdff:ffff::1]",
  "[fd00:ec2::254]",
  "[fe80::1]",
  "[fe80::ffff:1]",
  "[febf::1]",
  "[fec0::1]",
  "[feff::1]",
  "[ff00::1]",
  "[ff02::1]",
  "[ff0e::1]",
  "[8000::1]",
  "[c000::1]",
  "[e000::1]",
  "[1::1]",
  "[1fff:ffff::1]",
];

const LOCAL_NAMES = [
  "localhost",
  "LOCALHOST",
  "localhost.",
  "foo.localhost",
  "intranet",
  "router",
  "printer.local",
  "db.internal",
  "metadata.google.internal",
  "nas.lan",
  "box.home",
  "pi.home.arpa",
  "wiki.corp",
  "host.intranet",
  "a.test",
  "b.invalid",
  "xyz.onion",
  "localhost.localdomain",
  "box.localdomain.",
  "hooks.default.svc",
  "hooks.default.svc.cluster.local",
  "HOOKS.DEFAULT.SVC.",
  "hooks.service.consul",
  "hooks.example",
  "a.b.example",
  "münchen.example",
  "printer.private",
  "hooks.docker",
  "hooks.alt",
  "svc",
  "com",
];

const MALFORMED = [
  "http://hooks.example.com/",
  "HTTP://hooks.example.com/",
  "ftp://hooks.example.com/",
  "ws://hooks.example.com/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "data:text/plain,x",
  "https:",
  "https://",
  "//hooks.example.com/",
  "hooks.example.com",
  "https://user@hooks.example.com/",
  "https://user:pass@hooks.example.com/",
  "https://hooks.example.com:22/",
  "https://hooks.example.com:80/",
  "https://hooks.example.com:25/",
  "https://hooks.example.com:6379/",
  "https://hooks.example.com:5432/",
  "https://hooks.example.com:0/",
  "https://hooks.example.com:99999/",
  "https://hooks.example.com/a b",
  "https://hooks.example.com/\n",
  "https://hooks\t.example.com/",
  "https:\\\\hooks.example.com\\",
  "https://hooks.example.com\\@127.0.0.1/",
  "https://[::1",
  "https://hooks..example.com/",
  "https://.example.com/",
  "https://hooks.example.com../",
  "https://-hooks.example.com/",
  "https://hooks-.example.com/",
  `https://${"a".repeat(64)}.example.com/`,
  `https://${"abcdefg.".repeat(31)}example.com/`,
  "https://exa mple.com/",
  " https://hooks.example.com/",
  "https://%00.example.com/",
];

const GOOD = [
  "https://hooks.example.com",
  "https://hooks.example.com/",
  "https://hooks.example.com/path?query=1&b=%20",
  "HTTPS://HOOKS.EXAMPLE.COM/",
  "https://hooks.example.com:443/",
  "https://hooks.example.com:8443/x",
  "https://hooks.example.com:1024/",
  "https://93.184.215.14/",
  "https://8.8.8.8/hook",
  "https://[2606:4700::1111]/",
  "https://[2a00:1450:4001:81b::200e]:8443/",
  "https://hooks.example.com./",
  "https://münchen.example.com/",
  "https://xn--mnchen-3ya.example.com/",
  "https://svc.example.com/",
  "https://consul.example.com/",
  "https://mysvc.net/",
  "https://a.b.c.d.example.org/#fragment",
  `https://${"a".repeat(63)}.example.com/`,
  "https://my_hooks.example.com/",
];

test("refuses an address inside a private or special network, in every spelling", async () => {
  for (const host of INNER)
    expect(`${host} ${await verdict(`https://${host}/hook`)}`).toBe(`${host} unprocessable`);
});

test("refuses a name that only exists inside a network", async () => {
  for (const host of LOCAL_NAMES)
    expect(`${host} ${await verdict(`https://${host}/`)}`).toBe(`${host} unprocessable`);
});

test("refuses an address that is not plain https", async () => {
  for (const url of MALFORMED) expect(`${url} ${await verdict(url)}`).toBe(`${url} unprocessable`);
});

test("accepts a public address", async () => {
  for (const url of GOOD) expect(`${url} ${await verdict(url)}`).toBe(`${url} accepted`);
});

test("refuses a name if any of its resolved addresses is refused", async () => {
  const url = "https://hooks.example.com/";
  expect(await verdict(url, ["10.0.0.1"])).toBe("unprocessable");
  expect(await verdict(url, ["93.184.215.14", "127.0.0.1"])).toBe("unprocessable");
  expect(await verdict(url, ["2606:4700::1111", "fe80::1"])).toBe("unprocessable");
  expect(await verdict(url, ["2606:4700::1111", "93.184.215.14"])).toBe("accepted");
});

test("accepts a name that does not resolve yet, because every attempt checks again", async () => {
  expect(await verdict("https://hooks.example.com/", [])).toBe("accepted");
});

test("treats a host name with a final dot as the same address", async () => {
  const spelling = (url: string) => checkTarget(rules(["93.184.215.14"]), url).then(String);
  expect(await spelling("https://hooks.example.com./in")).toBe("https://hooks.example.com/in");
  expect(await spelling("https://hooks.example.com.:8443/in")).toBe("https://hooks.example.com:8443/in");
  expect(await spelling("https://93.184.215.14./")).toBe("https://93.184.215.14/");
});

test("the operator may allow hosts, addresses and networks by name", async () => {
  expect(await verdict("https://nas.lan:8443/", ["192.168.1.5"], ["nas.lan"])).toBe("accepted");
  expect(await verdict("https://127.0.0.1:9443/", [], ["127.0.0.0/8"])).toBe("accepted");
  expect(await verdict("https://[::1]:9443/", [], ["::1"])).toBe("accepted");
  expect(await verdict("https://hooks.example.com/", ["10.1.2.3"], ["10.1.0.0/16"])).toBe("accepted");
  expect(await verdict("https://hooks.example.com/", ["10.2.2.3"], ["10.1.0.0/16"])).toBe("unprocessable");
  expect(await verdict("http://127.0.0.1/", [], ["127.0.0.0/8"])).toBe("unprocessable");
  // An internal host name may resolve only to addresses that the operator allows.
  const inner = "https://hooks.default.svc/";
  expect(await verdict(inner, ["10.1.2.3"], ["hooks.default.svc"])).toBe("accepted");
  expect(await verdict(inner, ["10.1.2.3"], ["10.1.0.0/16"])).toBe("accepted");
  expect(await verdict(inner, ["10.2.2.3"], ["10.1.0.0/16"])).toBe("unprocessable");
  expect(await verdict(inner, ["93.184.215.14"], ["10.1.0.0/16"])).toBe("unprocessable");
  expect(await verdict(inner, [], ["10.1.0.0/16"])).toBe("unprocessable");
});
