import { Value } from "@sinclair/typebox/value";
import { faultOf, Text } from "../../base/check.ts";
import { type Fault, detailOf, refuseFields } from "../../base/errors.ts";

/**
 * A new password. Only its length is restricted, not the kinds of its characters (NIST SP 800-63B §5.1.1.2).
 */
export const Password = Text({ min: 8, max: 200 });

/** The most common passwords of sufficient length. */
const COMMON: ReadonlySet<string> = new Set(
  `12345678 123456789 1234567890 0123456789 87654321 987654321 11111111 00000000 88888888 12341234 11223344 123123123
   1q2w3e4r 1qaz2wsx q1w2e3r4 1q2w3e4r5t qwertyui qwertyuiop qwerty123 qwerty12 asdfghjk asdfghjkl zxcvbnm1 abcd1234
   abc12345 aa123456 a1b2c3d4 password password1 password12 password123 password! passw0rd p@ssw0rd p@ssword pass1234
   admin123 admin1234 administrator root1234 welcome1 welcome123 changeme changeme123 letmein1 letmein123 iloveyou
   iloveyou1 sunshine princess football baseball basketball superman batman123 starwars trustno1 whatever computer
   internet michelle jennifer jordan23 computer1 secret123 default1 test1234 testtest guest123 guildhall guildhall1`.split(
    /\s+/,
  ),
);

/** Throws bad_request for a new password that is too short, too long or too common. */
export function refuseBadPassword(password: string, username: string): void {
  if (!isPassword(password)) throw bad(faultOf(Password, password));
  refuseWeak(password, username);
}

/** Whether a text has the length of a password. */
export function isPassword(text: string): boolean {
  return Value.Check(Password, text);
}

/** Throws bad_request for a password that equals the username or is among the most common passwords. */
export function refuseWeak(password: string, username: string): void {
  const folded = password.normalize("NFKC").toLowerCase();
  if (folded === username) throw bad({ code: "password_is_username" });
  if (COMMON.has(folded)) throw bad({ code: "password_well_known" });
}

function bad(broken: Fault) {
  return refuseFields([detailOf("password", broken)]);
}
