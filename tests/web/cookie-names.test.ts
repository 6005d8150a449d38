import { expect, test } from "bun:test";
import { readCookie } from "../../src/web/request/cookies.ts";

const NAME = "__Host-guildhall";
const VALUE = "x".repeat(43);

test("a cookie counts only under its exact name, so that a sibling site cannot plant one", () => {
  for (const header of [`${NAME}=${VALUE}`, `a=b; ${NAME}=${VALUE}`, `a=b;${NAME}=${VALUE} ; c=d`])
    expect(readCookie(header, NAME)).toBe(VALUE);
  const before = ["\u00a0", "\u0085", "\u2000", "\u3000", "\ufeff", "\t", "\v", "\f", "=", "$", "a", '"'];
  for (const letters of before) {
    expect(readCookie(`a=b; ${letters}${NAME}=${VALUE}`, NAME)).toBeUndefined();
    // A valid cookie next to a planted one still counts, so it cannot be displaced.
    expect(readCookie(`${letters}${NAME}=${"y".repeat(43)}; ${NAME}=${VALUE}`, NAME)).toBe(VALUE);
  }
  for (const header of [`${NAME} =${VALUE}`, `${NAME}\u00a0=${VALUE}`, `__host-guildhall=${VALUE}`])
    expect(readCookie(header, NAME)).toBeUndefined();
  expect(readCookie(`${NAME}=${VALUE}; ${NAME}=${VALUE}`, NAME)).toBeUndefined();
});
