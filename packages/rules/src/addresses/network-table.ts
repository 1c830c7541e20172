import { type IpNetwork, parseIpNetwork } from "@siteward/contract/website-settings";
import { InvalidSettingError } from "../errors/invalid-setting-error.ts";

/**
 * The addresses of one family, divided into ranges. A range begins at a boundary and ends before the next one, so that one binary
 * search finds the range of an address. Arrays of numbers take less memory than typed arrays if they are short, as most are.
 */
export interface NetworkTable {
  /** The boundaries in order, each as the words of an address. */
  readonly boundaries: readonly number[];
  /** What excludes the range at each boundary: of all entries that contain it, the first of the website. */
  readonly entries: readonly (string | undefined)[];
}

/** The tables of a website. A family without entries has none. */
export interface NetworkTables {
  readonly ipv4: NetworkTable | undefined;
  readonly ipv6: NetworkTable | undefined;
}

/** A network with its place in the list of the website. */
interface PlacedNetwork extends IpNetwork {
  readonly place: number;
  /** The last address. */
  readonly last: readonly number[];
}

/** Compiles `exclude_ips`. @throws InvalidSettingError */
export function compileNetworks(entries: readonly string[]): NetworkTables {
  const families: { readonly [words: number]: PlacedNetwork[] } = { 1: [], 4: [] };
  for (const [place, entry] of entries.entries()) {
    const network = parseEntry(entry);
    families[network.words.length]?.push({ ...network, place, last: findLast(network) });
  }
  return { ipv4: buildTable(families[1], entries), ipv6: buildTable(families[4], entries) };
}

function parseEntry(entry: string): IpNetwork {
  if (typeof entry !== "string") throw new InvalidSettingError("exclude_ips", "contains a value that is not a string");
  const parsed = parseIpNetwork(entry);
  if (parsed.ok) return parsed.value;
  throw new InvalidSettingError(
    "exclude_ips",
    `contains ${JSON.stringify(entry.slice(0, 60))}, which ${parsed.reason}`,
  );
}

function findLast({ words, prefix }: IpNetwork): number[] {
  return words.map((word, index) => {
    const bits = prefix - index * 32;
    const hostBits = bits >= 32 ? 0 : bits <= 0 ? 0xffffffff : 0xffffffff >>> bits;
    return (word | hostBits) >>> 0;
  });
}

/**
 * Two networks are either apart, or one is within the other. So a network begins a range, and when it ends, the network around it
 * goes on.
 */
function buildTable(networks: PlacedNetwork[] = [], entries: readonly string[]): NetworkTable | undefined {
  const width = networks[0]?.words.length ?? 0;
  if (width === 0) return undefined;
  networks.sort(
    (left, right) => compareWords(left.words, right.words) || left.prefix - right.prefix || left.place - right.place,
  );
  const boundaries: number[] = [];
  const labels: (string | undefined)[] = [];
  const open: PlacedNetwork[] = [];
  const begin = (words: readonly number[], label: string | undefined) => {
    // What begins where the last range began replaces it.
    if (labels.length > 0 && compareAt(boundaries, labels.length - 1, words) === 0) labels.pop();
    else boundaries.push(...words);
    labels.push(label);
  };
  const closeBefore = (words: readonly number[] | undefined) => {
    for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
      if (words !== undefined && compareWords(inner.last, words) >= 0) return;
      open.pop();
      const next = findNext(inner.last);
      const around = open.at(-1);
      if (next !== undefined) begin(next, around && entries[around.place]);
    }
  };
  for (const network of networks) {
    closeBefore(network.words);
    const around = open.at(-1);
    // An entry that is earlier in the website already names all addresses of this one.
    if (around !== undefined && around.place < network.place) continue;
    open.push(network);
    begin(network.words, entries[network.place]);
  }
  closeBefore(undefined);
  return { boundaries, entries: labels };
}

/** Returns the address after this one, or undefined for the last one of all. */
function findNext(words: readonly number[]): number[] | undefined {
  const next = [...words];
  for (let index = next.length - 1; index >= 0; index -= 1) {
    const word = next[index] ?? 0;
    next[index] = (word + 1) >>> 0;
    if (word !== 0xffffffff) return next;
  }
  return undefined;
}

/** Finds the entry that contains an address: the first of the website, if several do. */
export function findEntry({ boundaries, entries }: NetworkTable, words: ArrayLike<number>): string | undefined {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareAt(boundaries, middle, words, boundaries.length / entries.length) <= 0) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? undefined : entries[low - 1];
}

/** Compares a boundary with an address. */
function compareAt(
  boundaries: readonly number[],
  place: number,
  words: ArrayLike<number>,
  width: number = words.length,
): number {
  for (let index = 0; index < width; index += 1) {
    const difference = (boundaries[place * width + index] ?? 0) - (words[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareWords(left: readonly number[], right: readonly number[]): number {
  return compareAt(left, 0, right);
}
