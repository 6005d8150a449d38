import { OPERATOR } from "../../src/core/identity/access/caller.ts";
import { recordPublicEvent } from "../../src/core/outbox/events/events.ts";
import { publishJob } from "../../src/core/community/jobs/jobs.ts";
import { readConfig } from "../../src/config/config.ts";
import { createFolderCore, openDataFolder } from "../../src/app/data-folder.ts";
import { jobDraft } from "../spec/rows.ts";

/*
 * A separate process that writes events beside the server, as the command line does: `event-writer.ts FOLDER
 * NAME COUNT`. Most events have their own commit, and some share a commit. Some jobs go live, and the
 * server's delivery thread finds their matches.
 */
const [folder = "", name = "", count = "0"] = process.argv.slice(2);
const config = readConfig({}, { data: folder });
const installation = openDataFolder(config, { busyMs: 60_000, mayCreate: false });
const core = createFolderCore(installation, config, "http://127.0.0.1");

for (let i = 0; i < Number(count);) {
  const together = i % 10 === 9 ? 2 : 1;
  core.db.transact(() => {
    for (let n = 0; n < together; n++, i++) {
      const data = { user_id: `${name}-${i}`, from_level: 1, to_level: 2, badge: "drill" };
      recordPublicEvent(core, "xp.level_up", data);
    }
  });
  if (i % 500 === 251) publishJob(core, OPERATOR, jobDraft({ title: `${name} ${i}` }));
}
installation.close();
