/** Upper bound for this machine: a server that only runs the same database query and writes the same JSON. */
import { openDatabase } from "../src/core/base/db/open.ts";

const [file = ""] = process.argv.slice(2);
const db = openDatabase(file, { busyMs: 100 });
const select = db.prepare<{
  id: string;
  text: string;
  tags: string;
  likes: number;
  replies: number;
  createdAt: number;
  username: string;
  name: string;
}>(
  `SELECT p.id, p.text, p.tags, p.likes, p.replies, p.created_at AS createdAt, b.username, b.name
   FROM posts p JOIN builders b ON b.id = p.author_id
   WHERE p.parent_id IS NULL AND p.hidden_at IS NULL AND p.id < ? AND p.id > ?
   ORDER BY p.id DESC LIMIT ?`,
);

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  development: false,
  fetch() {
    const rows = select.all("post_~", "", 21).slice(0, 20);
    const data = rows.map((row) => ({
      id: row.id,
      author: { username: row.username, name: row.name },
      text: row.text,
      tags: JSON.parse(row.tags),
      created_at: new Date(row.createdAt).toISOString(),
      metrics: { likes: row.likes, replies: row.replies },
    }));
    return new Response(JSON.stringify({ data, next: rows.at(-1)?.id }), {
      headers: { "content-type": "application/json" },
    });
  },
});
console.log(JSON.stringify({ msg: "listening", url: server.url.origin }));
