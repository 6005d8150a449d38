// Tests of location.patch, run in the patched copy. See cost.slow.test.ts.
import { expect, test } from "bun:test";
import { graph } from "../graphql/ask.ts";
import { call } from "../spec/client.ts";
import { createMember } from "../support.ts";
import { openSite, signUpMember, visit, visibleText } from "../web/support.ts";

test("REST, GraphQL and the page show the location of a post, and none for a post without", async () => {
  await using site = openSite();
  const { token } = createMember(site.core, "ada");
  const publish = async (body: object): Promise<string> =>
    (await call(site, token, "POST /feed", { body })).body.id;
  const id = await publish({ text: "Rain again.", location: "São Paulo" });
  const elsewhere = await publish({ text: "Sun again." });
  expect((await call(site, token, `GET /feed/${id}`)).body.location).toBe("São Paulo");
  expect((await call(site, token, `GET /feed/${elsewhere}`)).body.location).toBeNull();
  for (const location of ["", " ", "a\nb", "x".repeat(101), 1])
    expect((await call(site, token, "POST /feed", { body: { text: "x", location } })).status).toBe(400);
  const { body } = await graph(site, token, `{ post(id: "${id}") { location } }`);
  expect(body.data.post.location).toBe("São Paulo");
  expect(visibleText((await visit(site).open(`/posts/${id}`)).html)).toContain("São Paulo");
});

test("the form of the page and the GraphQL mutation accept a location", async () => {
  await using site = openSite();
  const bob = await signUpMember(site, "bob");
  const shown = await bob.submit(await bob.open("/"), "/posts", { text: "Here.", location: "<Lisbon>" });
  expect(visibleText(shown.html)).toContain("<Lisbon>");
  const { token } = createMember(site.core, "ada");
  const document = `mutation { createPost(input: { text: "There.", location: "Porto" }) { post { location } } }`;
  expect((await graph(site, token, document)).body.data.createPost.post.location).toBe("Porto");
});
