import { toAscii } from "./to-ascii.ts";

/**
 * Returns the Unicode form of a label in Punycode.
 *
 * @returns undefined if the label is not in Punycode, or not what its Unicode form is mapped to
 * @example decodeLabel("xn--bcher-kva") // "bücher"
 */
export function decodeLabel(label: string): string | undefined {
  if (!/^xn--.{0,59}$/.test(label)) return undefined;
  try {
    const unicode = decodePunycode(label.slice(4));
    return toAscii(unicode) === label ? unicode : undefined;
  } catch {
    // Not valid Punycode.
    return undefined;
  }
}

/**
 * Decodes Punycode (RFC 3492), the part of a label after `xn--`. No web standard decodes it.
 *
 * @param encoded at most 59 characters, since the time grows with the square of the length
 * @returns the decoded string; one that encodes to something else if `encoded` is not valid Punycode
 * @throws RangeError if a code point is not valid
 */
function decodePunycode(encoded: string): string {
  const delimiter = encoded.lastIndexOf("-");
  const decoded = [...encoded.slice(0, Math.max(0, delimiter))];
  let codePoint = 128;
  let position = 0;
  let start = 0;
  let weight = 1;
  // 36 for each digit of the number so far, minus the bias, which begins as 72.
  let place = -36;
  for (const character of encoded.slice(delimiter + 1)) {
    // The digits are a to z, then 0 to 9. Any other character makes the code point NaN.
    const digit = (Number.parseInt(character, 36) + 26) % 36;
    const threshold = Math.min(26, Math.max(1, place));
    position += digit * weight;
    weight *= 36 - threshold;
    place += 36;
    if (digit >= threshold) continue;
    // The last digit of a number. The next bias follows from the distance between two insertions (section 6.1).
    const length = decoded.length + 1;
    let delta = Math.floor((position - start) / (start === 0 ? 700 : 2));
    delta += Math.floor(delta / length);
    for (place = 36; delta > 455; place -= 36) delta = Math.floor(delta / 35);
    place -= Math.floor((36 * delta) / (delta + 38));
    codePoint += Math.floor(position / length);
    position %= length;
    decoded.splice(position, 0, String.fromCodePoint(codePoint));
    position += 1;
    start = position;
    weight = 1;
  }
  return decoded.join("");
}
