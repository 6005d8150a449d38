// docs/contract.md#12.28 and docs/threats.md#M12: requests that nodes forward.
import { expect, test } from "bun:test";
import { createForwardVerifier, type SignedForward, signForward } from "../../src/cluster/signature.ts";
import { isAtLeast, readVersion, formatVersion } from "../../src/cluster/version.ts";
import { createTestWorld } from "../support.ts";

const POST: SignedForward = { method: "POST", target: "/v1/feed?a=b", address: "2001:db8::1", epoch: 3 };

test("a leader accepts a forwarded request once, unchanged, and only while the clocks agree", () => {
  using leader = createTestWorld();
  const { core } = leader;
  const { verify } = createForwardVerifier(core);
  const header = signForward(core, POST);
  expect(verify(header, POST.method, POST.target)).toEqual(POST);
  expect(() => verify(header, POST.method, POST.target)).toThrow("already forwarded once");
  const late = signForward(core, POST);
  leader.clock.pass(31_000);
  expect(() => verify(late, POST.method, POST.target)).toThrow("off by 31 seconds");
  // The verifier has forgotten this signature, but its timestamp is too old by now.
  leader.clock.pass(120_000);
  expect(() => verify(header, POST.method, POST.target)).toThrow(
    "The clock of the forwarding node is off by",
  );
});

test("refuses a request that no node signed, or in which any signed part was changed", () => {
  using leader = createTestWorld();
  using stranger = createTestWorld({ seed: 2 });
  const { verify } = createForwardVerifier(leader.core);
  const header = signForward(leader.core, POST);
  const forged = [
    [signForward(stranger.core, POST), POST.method, POST.target],
    [header, "DELETE", POST.target],
    [header, POST.method, "/v1/feed?a=c"],
    [header.replace("2001:db8::1", "127.0.0.1"), POST.method, POST.target],
    [header.replace(" 3 ", " 4 "), POST.method, POST.target],
    ["", POST.method, POST.target],
    ["1 2 3 4 5", POST.method, POST.target],
    [`${header} x`.replace(/\S+ x$/, ""), POST.method, POST.target],
  ] as const;
  for (const [sent, method, target] of forged)
    expect(() => verify(sent, method, target)).toThrow("no node of this community has signed it");
  expect(verify(header, POST.method, POST.target)).toEqual(POST);
});

test("parses its own notation of a version, and orders versions by epoch, then by commits", () => {
  expect(readVersion(formatVersion({ epoch: 2, commits: 0 }))).toEqual({ epoch: 2, commits: 0 });
  for (const text of ["", "1", "0.1", "1.", ".1", "1.1.1", "1.x", "-1.1", "1.1e9", "1.9999999999999999"])
    expect(readVersion(text)).toBeUndefined();
  expect(isAtLeast({ epoch: 2, commits: 5 }, { epoch: 1, commits: 900 })).toBe(true);
  expect(isAtLeast({ epoch: 2, commits: 5 }, { epoch: 2, commits: 5 })).toBe(true);
  expect(isAtLeast({ epoch: 2, commits: 5 }, { epoch: 2, commits: 6 })).toBe(false);
  expect(isAtLeast({ epoch: 1, commits: 900 }, { epoch: 2, commits: 5 })).toBe(false);
});
