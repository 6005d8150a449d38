// The commands of docs/operating.md, docs/api.md and docs/oauth.md.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { createAuthority } from "../delivery/authority.ts";
import { blocksOf, follow, pageOf, ROOT } from "./documents.ts";
import { BUILT, LONG_MS } from "./programs.ts";
import { openWorld, type World } from "./world.ts";

setDefaultTimeout(LONG_MS);

/** Runs the commands of the unit file, as far as the documents need systemd. */
const SYSTEMCTL = `#!/bin/bash
unit=$(ls /etc/systemd/system/guildhall.service /usr/lib/systemd/system/guildhall.service 2>/dev/null | head -1)
of() { sed -n "s/^$1=//p" "$unit"; }
stop() { [ -s /run/guildhall.pid ] && kill "$(cat /run/guildhall.pid)" && tail --pid="$(cat /run/guildhall.pid)" -f /dev/null; rm -f /run/guildhall.pid; }
start() {
  install -d -o "$(of User)" -g "$(of Group)" -m "$(of StateDirectoryMode)" /var/lib/"$(of StateDirectory)"
  : > /run/journal
  setsid setpriv --reuid="$(of User)" --regid="$(of Group)" --init-groups --no-new-privs \\
    --bounding-set=-all,+net_bind_service --inh-caps=+net_bind_service --ambient-caps=+net_bind_service \\
    env -i PATH=/usr/bin:/bin $(of Environment) $(of ExecStart) >> /run/journal 2>&1 &
  echo $! > /run/guildhall.pid
  until grep -q '"listening"' /run/journal; do kill -0 $! 2>/dev/null || { cat /run/journal; exit 1; }; sleep 0.05; done
}
case "$*" in
  "enable --now guildhall" | "start guildhall") start ;;
  "stop guildhall") stop ;;
  "restart guildhall") stop; start ;;
  "reload guildhall") kill -HUP "$(cat /run/guildhall.pid)" ;;
  daemon-reload) ;;
  *) echo "no stand-in for systemctl $*"; exit 64 ;;
esac
`;

const SUDO = `#!/bin/bash
[ "$1" = -u ] || exec "$@"
exec setpriv --reuid="$2" --regid="$2" --init-groups env HOME=/ "\${@:3}"
`;

/** Stand-ins for programs that this machine may lack. Each one does what the documents need. */
const STAND_INS = {
  "/opt/stand-ins/systemctl": SYSTEMCTL,
  "/opt/stand-ins/sudo": SUDO,
  "/opt/stand-ins/journalctl": "#!/bin/sh\ncat /run/journal\n",
};

const LIVE = "/etc/letsencrypt/live/guild.example";

let world: World | undefined;
beforeAll(async () => {
  const authority = await createAuthority();
  const { cert, key } = await authority.issue(["guild.example"]);
  const renewed = await authority.issue(["guild.example"]);
  const certificates = {
    "/srv/renewed/fullchain.pem": renewed.cert,
    "/srv/renewed/privkey.pem": renewed.key,
    [`${LIVE}/fullchain.pem`]: cert,
    [`${LIVE}/privkey.pem`]: key,
    [`${LIVE}/ca.pem`]: authority.pem,
  };
  world = await openWorld({ ...STAND_INS, ...certificates });
  const get =
    BUILT === undefined
      ? `cd '${ROOT}' && npx -y bun@1.4.5 run build --outfile /srv/guildhall-linux-x64`
      : `cp '${BUILT}' /srv/guildhall-linux-x64`;
  if (world) expect(await world.type(get)).toMatchObject({ code: 0 });
}, LONG_MS);
afterAll(() => world?.[Symbol.asyncDispose]());

test("docs/operating.md leads from an empty server to a community that is served, monitored and backed up", async () => {
  if (!world) return;
  await world.type("cd /srv");
  await world.type(`echo 127.0.0.1 guild.example >> /etc/hosts; export CURL_CA_BUNDLE=${LIVE}/ca.pem`);
  const blocks = blocksOf("docs/operating.md", await pageOf("docs/operating.md"));
  const answers = [
    "The Beekeepers",
    "https://guild.example",
    "files",
    `${LIVE}/fullchain.pem`,
    `${LIVE}/privkey.pem`,
    "",
    "",
  ];
  const fill = (command: string) => (command === "sudo guildhall setup" ? requestPanel(answers) : command);
  const output = await follow(world, blocks.slice(0, 1), fill);
  const link = /https:\/\/guild\.example\/setup\?token=\S+/.exec(output)?.[0];
  expect(await world.type(`curl -H 'Accept: text/html' '${link}'`)).toMatchObject({
    code: 0,
    output: expect.stringContaining("The Beekeepers"),
  });
  expect(
    (await world.type("stat -c '%U %G %a' /etc/guildhall/settings.toml /var/lib/guildhall/guildhall.db"))
      .output,
  ).toBe("root guildhall 640\nguildhall guildhall 600\n");
  // Sets the mode that a renewal tool should set. Otherwise the doctor warns and exits with 1.
  await world.type(`chgrp guildhall ${LIVE}/privkey.pem && chmod 640 ${LIVE}/privkey.pem`);
  await follow(world, blocks.slice(1), fill);
  // Setup may replace its own unit.
  expect(
    await world.type(
      `sudo guildhall setup --yes --replace --unit --origin https://guild.example --tls files --certificate ${LIVE}/fullchain.pem --key ${LIVE}/privkey.pem`,
    ),
  ).toMatchObject({ code: 0, output: expect.stringContaining("systemctl enable --now guildhall") });
});

test("the commands of docs/api.md and docs/oauth.md work on the server that docs/operating.md sets up", async () => {
  if (!world) return;
  const { output } = await world.type("sudo -u guildhall guildhall token create ada");
  const token = output.trim();
  const fill = (command: string, output: string) =>
    command
      .replace("TOKEN=…", `TOKEN=${token}`)
      .replace("=NEXT", `=${/"next":"([^"]+)"/.exec(output)?.[1] ?? ""}`);
  const post = (text: string) =>
    `curl https://guild.example/v1/feed -H "Authorization: Bearer ${token}" -H "Content-Type: application/json" -d '{"text":"${text}"}'`;
  for (const text of Array.from({ length: 51 }, (_, n) => `Post ${n}`)) await world.type(post(text));
  const events = await world.type(
    `curl -H "Authorization: Bearer ${token}" 'https://guild.example/v1/events?limit=1'`,
  );
  await world.type(`export LAST=${/evt_\w+|event_\w+/.exec(events.output)?.[0]}`);
  const message = await follow(world, blocksOf("docs/api.md", await pageOf("docs/api.md")), fill);
  expect(message).toContain('"text":"It is out."');
  const created = await follow(world, blocksOf("docs/oauth.md", await pageOf("docs/oauth.md")), fill);
  expect(created).toMatch(/app_\w+\s+guild_secret_[\w-]{43}/);
});

test("every command under Emergencies fixes its problem", async () => {
  if (!world) return;
  const rows = nightRows(await pageOf("docs/operating.md"));
  expect(rows).toEqual(Object.keys(NIGHT));
  await world.type(TOOLS);
  for (const row of rows) {
    const { trouble = ":", code = 0, says, after = ":", shows = /(?:)/ } = NIGHT[row] as Trouble;
    const before = await world.type(trouble);
    const typed = await world.type(
      row.replace("guild.age", "night.age").replace(/ (?:POST|TOKEN|ENDPOINT)(?= |$)/, ' "$WHAT"'),
    );
    expect([row, before.output, typed]).toEqual([
      row,
      before.output,
      { code, output: expect.stringMatching(says) },
    ]);
    const then = await world.type(after);
    expect([row, typed.output, then]).toEqual([
      row,
      typed.output,
      { code: 0, output: expect.stringMatching(shows) },
    ]);
  }
});

/** Commands of the list under Emergencies, in order. */
function nightRows(page: string): string[] {
  const part = /^## Emergencies\n([\s\S]*?)^## /m.exec(page)?.[1] ?? "";
  const items = part.split(/^- /m).slice(1);
  return items.map((item) => /^\*\*[^*]+\*\*\s+`([^`]+)`/.exec(item)?.[1]?.replaceAll(/\s+/g, " ") ?? item);
}

interface Trouble {
  trouble?: string;
  code?: number;
  says: RegExp;
  /** Commands for a check afterwards, and the expected output. */
  after?: string;
  shows?: RegExp;
}

/** Shell functions for the problems in `NIGHT`. */
const TOOLS = `
FOLDER=/var/lib/guildhall
g() { sudo -u guildhall guildhall "$@"; }
ask() { curl -H "Authorization: Bearer $1" -H "Content-Type: application/json" "\${@:3}" "https://guild.example/v1$2"; }
id() { grep -o "$1_[a-z0-9]*" | head -1; }
g builder create mallory
g backup /mnt/backups/night.age --with-key --passphrase-file /etc/guildhall/passphrase`;

const READY = /^ready: /;
const NIGHT: Readonly<Record<string, Trouble>> = {
  "sudo -u guildhall guildhall doctor": {
    trouble: "chmod 755 $FOLDER; chmod 644 $FOLDER/guildhall.key",
    code: 1,
    says: /guildhall\.key/,
    after: "chmod 700 $FOLDER; chmod 600 $FOLDER/guildhall.key",
  },
  "sudo -u guildhall guildhall health": {
    trouble: "sudo systemctl stop guildhall",
    code: 1,
    says: /no server/i,
  },
  "sudo systemctl restart guildhall": { says: /^/, after: "g health", shows: READY },
  "sudo journalctl -u guildhall --no-pager --lines 20": {
    trouble:
      "sudo systemctl stop guildhall; echo 'sign_up = \"open\"' >> /etc/guildhall/settings.toml; sudo systemctl start guildhall",
    says: /sign_up/,
  },
  "sudo -u guildhall guildhall settings": {
    code: 2,
    says: /sign_up in \S+settings\.toml line \d+/,
    after: "sed -i '/^sign_up/d' /etc/guildhall/settings.toml && sudo systemctl start guildhall && g health",
    shows: READY,
  },
  "df -h /var/lib/guildhall": { says: /\d%/ },
  "sudo du -ahd1 /var/lib/guildhall": {
    trouble:
      "mkdir $FOLDER/before-upgrade-27-to-28-X; head -c 3M /dev/zero > $FOLDER/before-upgrade-27-to-28-X/guildhall.db",
    says: /3\.0M\s.*before-upgrade-27-to-28-X/,
    after: "rm -r $FOLDER/before-upgrade-27-to-28-X",
  },
  "sudo guildhall doctor --fix": {
    trouble: "sudo guildhall backup $FOLDER/backups/root.tar.zst; stat -c %U $FOLDER/backups/root.tar.zst",
    says: /root\.tar\.zst/,
    after: "find $FOLDER ! -user guildhall; rm $FOLDER/backups/root.tar.zst; echo none is left",
    shows: /^none is left/,
  },
  "sudo -u guildhall guildhall restore /mnt/backups/guild.age --replace --passphrase-file /etc/guildhall/passphrase":
    {
      trouble:
        "sudo systemctl stop guildhall; dd if=/dev/urandom of=$FOLDER/guildhall.db bs=4096 seek=1 count=40 conv=notrunc; sudo systemctl start guildhall",
      says: /before-restore-/,
      after: "sudo systemctl start guildhall && g health && g builder show mallory",
      shows: READY,
    },
  "sudo -u guildhall guildhall restore /mnt/backups/guild.age --verify --passphrase-file /etc/guildhall/passphrase":
    {
      says: /builders/,
    },
  "sudo systemctl reload guildhall": {
    trouble: `SHOWN="timeout 5 openssl s_client -connect guild.example:443 </dev/null 2>/dev/null | openssl x509 -noout -serial"; FILE="openssl x509 -noout -serial -in ${LIVE}/fullchain.pem"
      cat /srv/renewed/fullchain.pem > ${LIVE}/fullchain.pem; cat /srv/renewed/privkey.pem > ${LIVE}/privkey.pem`,
    says: /^/,
    after: 'until [ "$(eval "$SHOWN")" = "$($FILE)" ]; do sleep 0.1; done; g health',
    shows: READY,
  },
  'sudo -u guildhall guildhall builder suspend mallory --reason "Threatens members"': {
    trouble: "TOKEN=$(g token create mallory); ask $TOKEN /feed",
    says: /^/,
    after: "! ask $TOKEN /feed; g builder restore mallory",
    shows: /unauthorized/,
  },
  'sudo -u guildhall guildhall builder spam mallory --reason "Advertisements"': {
    trouble: `TOKEN=$(g token create mallory); ask $TOKEN /feed -d '{"text":"Buy my coins."}'`,
    says: /mallory/,
    after:
      "TOKEN=$(g token create ada); while ask $TOKEN /feed | grep -q coins; do sleep 0.1; done; g builder restore mallory; echo nobody sees it",
    shows: /nobody sees it/,
  },
  'sudo -u guildhall guildhall post hide POST --reason "Private data"': {
    trouble: `TOKEN=$(g token create ada); WHAT=$(ask $TOKEN /feed -d '{"text":"Gone by the morning."}' | id post)`,
    says: /^/,
    after: "ask $TOKEN /feed | grep -c morning || echo nobody sees it",
    shows: /nobody sees it/,
  },
  "sudo -u guildhall guildhall token revoke TOKEN": {
    trouble: "TOKEN=$(g token create mallory); WHAT=$TOKEN; ask $TOKEN /feed",
    says: /^/,
    after: "! ask $TOKEN /feed",
    shows: /unauthorized/,
  },
  "sudo -u guildhall guildhall builder secure mallory": {
    trouble: "TOKEN=$(g token create mallory); ask $TOKEN /feed",
    says: /^/,
    after: "! ask $TOKEN /feed",
    shows: /unauthorized/,
  },
  "sudo -u guildhall guildhall builder recover ada": { says: /https:\/\/guild\.example\/\S+/ },
  "sudo -u guildhall guildhall endpoint list --failing": {
    trouble: `TOKEN=$(g token create ada); WHAT=$(ask $TOKEN /webhooks -d '{"url":"https://93.184.215.14/in","events":["post.created"]}' | id whe)
      ask $TOKEN /feed -d '{"text":"To be told."}'; timeout 20 sh -c 'until sudo -u guildhall guildhall endpoint list --failing | grep whe_; do sleep 0.2; done'`,
    says: /whe_\w+\s+failing/,
  },
  "sudo -u guildhall guildhall endpoint disable ENDPOINT": {
    says: /^/,
    after: "g endpoint list --failing",
    shows: /disabled/,
  },
  "sudo -u guildhall guildhall maintenance on": {
    trouble: "TOKEN=$(g token create ada)",
    says: /^/,
    after: `ask $TOKEN /feed && ! ask $TOKEN /feed -d '{"text":"Not now."}' && g health && g maintenance off`,
    shows: /"code":"\w*maintenance\w*"/,
  },
  "sudo -u guildhall guildhall key rotate --leaked": { says: /key/, after: "g health", shows: READY },
};

/** Runs setup on a terminal with these answers. */
function requestPanel(answers: readonly string[]): string {
  return `printf '%s\\n' ${answers.map((each) => `'${each}'`).join(" ")} | script -qec 'sudo guildhall setup' /dev/null`;
}
