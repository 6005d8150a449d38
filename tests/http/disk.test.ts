import { expect, test } from "bun:test";
import { moveIn, openHouse } from "../support.ts";
import { expectRefusal } from "./raw.ts";

test("a full disk refuses writes with the standard 500, reads, health and metrics go on, and it heals by itself", async () => {
  await using house = openHouse();
  const { db } = house.core;
  const { token } = moveIn(house.core, "ada");
  const post = (text: string) => house.ask(token, "/feed", { method: "POST", body: { text } });
  const first = await post("before");
  expect(first.status).toBe(201);

  // SQLite's own «database or disk is full», at the size that the file has now.
  const pages = db.prepare<{ page_count: number }>("PRAGMA page_count").get()?.page_count ?? 0;
  const bound = (to: number) => db.prepare(`PRAGMA max_page_count = ${to}`).get();
  bound(pages);
  const stored: string[] = [];
  let refused = 0;
  for (let i = 0; i < 200 && refused < 5; i++) {
    const text = `${i} ${"x".repeat(1900)}`;
    const answer = await post(text);
    if (answer.status === 201) stored.push(text);
    else {
      const body = await expectRefusal(answer, 500);
      expect(body).not.toMatch(/disk|full|sqlite/i);
      refused++;
    }
  }
  expect(refused).toBe(5);
  expect((await house.ask(token, "/feed")).status).toBe(200);
  for (const path of ["/healthz", "/metrics"]) expect((await fetch(house.url + path)).status).toBe(200);

  bound(1_000_000);
  const after = await post("after");
  expect(after.status).toBe(201);
  expect(db.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  const texts = db.prepare<{ text: string }>("SELECT text FROM posts ORDER BY id").all();
  expect(texts.map(({ text }) => text)).toEqual(["before", ...stored, "after"]);
});
