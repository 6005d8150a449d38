import { crc32 } from "node:zlib";
import type { Random } from "../../base/random.ts";

/**
 * Pattern of a token: `guild_pat_`, 32 base62 characters, and their CRC-32 as six base62 characters. The
 * fixed prefix lets secret scanners find a leaked token in any text. The checksum lets the server refuse an
 * invented or mistyped token without a database query.
 */
export const TOKEN_PATTERN = /(?<![0-9A-Za-z])guild_pat_[0-9A-Za-z]{38}(?![0-9A-Za-z])/;

const PREFIX = "guild_pat_";
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

export function makeToken(random: Random): string {
  let body = "";
  while (body.length < BODY_LENGTH) {
    for (const byte of random.bytes(BODY_LENGTH)) {
      // Bytes from 248 (4 × 62) are skipped, because they would make the first characters of the alphabet
      // more likely.
      if (byte < 248 && body.length < BODY_LENGTH) body += BASE62[byte % 62];
    }
  }
  return PREFIX + body + checksum(body);
}

/**
 * Whether the text has the form of a token and a correct checksum. The token may still be unknown or revoked.
 */
export function isWellFormedToken(text: string): boolean {
  if (text.length !== PREFIX.length + BODY_LENGTH + CHECKSUM_LENGTH || !TOKEN_PATTERN.test(text))
    return false;
  const body = text.slice(PREFIX.length, PREFIX.length + BODY_LENGTH);
  return checksum(body) === text.slice(PREFIX.length + BODY_LENGTH);
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = "";
  while (text.length < CHECKSUM_LENGTH) {
    text = BASE62[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
