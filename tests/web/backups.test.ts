import { expect, test } from "bun:test";
import { setBackups } from "../../src/core/services/backups/backups.ts";
import { openSite, signUpMember, visibleText } from "./support.ts";

/** docs/contract.md#12.4.1 */

test("an admin sees the last backup, a failed backup, a late backup, and that no backups are scheduled", async () => {
  await using site = openSite();
  const admin = await signUpMember(site, "warden", { role: "admin" });
  const words = async () => visibleText((await admin.open("/admin")).html);
  const none = "The server makes no backups. The operator can schedule them with GUILDHALL_BACKUP.";
  expect(await words()).toContain(none);

  const at = Date.UTC(2026, 10, 22, 4);
  const last = { at, name: "guildhall-aabbccdd-20261122T040000Z.tar.zst", bytes: 12_300_000, ms: 2100 };
  setBackups(site.core, () => ({ everyMs: 1, isLate: false, last }));
  expect(await words()).toContain("guildhall-aabbccdd-20261122T040000Z.tar.zst (13 MB uncompressed, 3 s).");
  expect(await words()).not.toContain("failed");
  expect(await words()).not.toContain(none);

  const reason = "there is no room for the backup in <b>/backups</b>";
  setBackups(site.core, () => ({ everyMs: 1, isLate: true, failed: { at, reason } }));
  const html = (await admin.open("/admin")).html;
  expect(visibleText(html)).toContain("There is no backup yet. A backup is overdue.");
  expect(html).toContain("&lt;b&gt;/backups&lt;/b&gt;");

  const ada = await signUpMember(site, "ada");
  expect(visibleText((await ada.open("/admin")).html)).not.toContain("ackups");
});
