const dot = 0x2e;
const colon = 0x3a;
const groupCount = 8;

/**
 * Reads an IPv4 address of four numbers from 0 to 255. Leading zeros are refused, because some programs read them as octal. It
 * allocates nothing, since rules read the address of every visit with it.
 *
 * @param start where the address begins in the string. It ends with the string.
 * @returns the address as a number, or -1 if the string is none
 */
export function readIpv4(text: string, start = 0): number {
  let address = 0;
  let octet = -1;
  let dots = 0;
  for (let index = start; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === dot) {
      if (octet === -1 || dots === 3) return -1;
      address = address * 256 + octet;
      octet = -1;
      dots += 1;
    } else {
      octet = appendDigit(octet, code - 0x30);
      if (octet === -1) return -1;
    }
  }
  return dots === 3 && octet !== -1 ? address * 256 + octet : -1;
}

/** Returns the octet with one more digit, or -1 if that is not valid. An octet without digits is -1. */
function appendDigit(octet: number, digit: number): number {
  if (digit < 0 || digit > 9 || octet === 0) return -1;
  if (octet === -1) return digit;
  const longer = octet * 10 + digit;
  return longer > 255 ? -1 : longer;
}

/** The groups of the address that is being read. One for all calls, because nothing else runs during a call. */
const groups = new Uint16Array(groupCount);

/**
 * Reads an IPv6 address (RFC 4291, section 2.2) as the operating system does: up to four digits in a group, one `::`, and an IPv4
 * address in place of the last two groups. Brackets, ports and zone IDs are refused.
 *
 * @param words is set to the four words of the address. Undefined if the string is none.
 * @returns whether the string is an IPv6 address
 */
export function readIpv6(text: string, words: Uint32Array): boolean {
  const gap = text.indexOf("::");
  const before = readGroups(text, 0, gap === -1 ? text.length : gap, 0);
  if (gap === -1) return before === groupCount && setWords(groupCount, groupCount, words);
  const count = before === invalid ? invalid : readGroups(text, gap + 2, text.length, before);
  return count < groupCount && setWords(before, count, words);
}

/** More groups than an address has. */
const invalid = groupCount + 1;

/** Adds the groups of a part of the address to those that were read. Returns how many there are then. */
function readGroups(text: string, start: number, end: number, first: number): number {
  let count = first;
  let index = start;
  while (index < end) {
    const groupEnd = findGroupEnd(text, index);
    if (groupEnd === index || count === groupCount) return invalid;
    if (text.charCodeAt(groupEnd) === dot) return addIpv4(text, index, count);
    groups[count] = Number.parseInt(text.slice(index, groupEnd), 16);
    count += 1;
    if (groupEnd === end) return count;
    if (text.charCodeAt(groupEnd) !== colon) return invalid;
    index = groupEnd + 1;
  }
  // The part is empty, or ends in a colon.
  return start === end ? count : invalid;
}

/** Returns where a group of at most four hexadecimal digits ends. */
function findGroupEnd(text: string, start: number): number {
  let end = start;
  while (end < start + 4 && isHexDigit(text.charCodeAt(end))) end += 1;
  return end;
}

function isHexDigit(code: number): boolean {
  const letter = code | 0x20;
  return (code >= 0x30 && code <= 0x39) || (letter >= 0x61 && letter <= 0x66);
}

/** Adds the IPv4 address at the end of an IPv6 address as two groups. */
function addIpv4(text: string, start: number, count: number): number {
  const address = readIpv4(text, start);
  if (address === -1 || count > groupCount - 2) return invalid;
  groups[count] = address >>> 16;
  groups[count + 1] = address & 0xffff;
  return count + 2;
}

/** Sets the words to the groups that were read, with zeros for those that are missing after the first `before` of them. */
function setWords(before: number, count: number, words: Uint32Array): true {
  const missing = groupCount - count;
  const groupAt = (place: number): number => {
    if (place < before) return groups[place] ?? 0;
    return place < before + missing ? 0 : (groups[place - missing] ?? 0);
  };
  for (let word = 0; word < 4; word += 1) words[word] = groupAt(2 * word) * 0x10000 + groupAt(2 * word + 1);
  return true;
}

/** Checks whether the words of an IPv6 address are in `::ffff:0:0/96`: the last one is an IPv4 address (RFC 4291, section 2.5.5.2). */
export function isIpv4Mapped(words: ArrayLike<number>): boolean {
  return words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
}
