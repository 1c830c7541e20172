/** The start of every API key, by which people and secret scanners recognize one. */
export const apiKeyPrefix = "swk_";

/** The number of random base62 characters after the prefix: 190 bits of entropy. */
export const apiKeySecretLength = 32;

/** The number of characters after the prefix that are shown, so that people recognize a key. */
export const apiKeyShownLength = 8;

const checksumLength = 6;
/** The digits of what is random in a key, and of its checksum. */
export const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** What every API key looks like: the prefix, and the secret with its checksum. */
export const apiKeyShape: RegExp = /^swk_[0-9A-Za-z]{38}$/;

/**
 * Builds an API key from its random part: prefix, random part, checksum.
 *
 * @param randomPart {@link apiKeySecretLength} base62 characters from a cryptographically secure source
 */
export function formatApiKey(randomPart: string): string {
  return `${apiKeyPrefix}${randomPart}${checksum(randomPart)}`;
}

/**
 * Checks whether a string can be an API key: its format and its checksum are correct. This needs no network, so clients and scanners
 * can find a typo offline. It does not check whether the key is valid on a server.
 *
 * @example
 * if (!isWellFormedApiKey(apiKey)) console.error("This is not an API key, or it has a typo.");
 */
export function isWellFormedApiKey(text: string): boolean {
  return apiKeyShape.test(text) && formatApiKey(text.slice(apiKeyPrefix.length, -checksumLength)) === text;
}

/** Returns the part of a key that is no secret, by which an operator names it. */
export function toKeyPrefix(key: string): string {
  return key.slice(0, apiKeyPrefix.length + apiKeyShownLength);
}

/** Returns the CRC-32 (ISO-HDLC) of the random part in base62, left-padded with zeros to six characters. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  while (digits.length < checksumLength) {
    digits = base62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const character of text) {
    crc ^= character.charCodeAt(0);
    for (let bit = 0; bit < 8; bit += 1) {
      crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
  }
  return (crc ^ 0xffffffff) >>> 0;
}
