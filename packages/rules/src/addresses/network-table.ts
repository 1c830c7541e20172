import { type IpNetwork, parseIpNetwork } from "@siteward/contract/website-settings";
import { InvalidSettingError } from "../errors/invalid-setting-error.ts";

/**
 * The addresses of one family, divided into ranges. A range begins at a boundary and ends before the next one, so that one binary
 * search finds the range of an address. Arrays of numbers take less memory than typed arrays if they are short, as most are.
 */
export interface NetworkTable {
  /** How many words an address has. */
  readonly width: number;
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
interface PlacedNetwork {
  readonly words: readonly number[];
  readonly prefix: number;
  readonly place: number;
  readonly entry: string;
}

/** Compiles `exclude_ips`. @throws InvalidSettingError */
export function compileNetworks(entries: readonly string[]): NetworkTables {
  const ipv4: PlacedNetwork[] = [];
  const ipv6: PlacedNetwork[] = [];
  for (const [place, entry] of entries.entries()) {
    const { words, prefix } = parseEntry(entry);
    (words.length === 1 ? ipv4 : ipv6).push({ words, prefix, place, entry });
  }
  return { ipv4: buildTable(ipv4, 1), ipv6: buildTable(ipv6, 4) };
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

/**
 * Two networks are either apart, or one is within the other. So a network begins a range, and when it ends, the network around it
 * goes on.
 */
function buildTable(networks: PlacedNetwork[], width: number): NetworkTable | undefined {
  if (networks.length === 0) return undefined;
  networks.sort(compareNetworks);
  const boundaries: number[] = [];
  const entries: (string | undefined)[] = [];
  const begin = (words: readonly number[], entry: string | undefined) => {
    // What begins where the last range began replaces it.
    if (entries.length > 0 && compareAt(boundaries, boundaries.length - width, words, width) === 0) entries.pop();
    else for (const word of words) boundaries.push(word);
    entries.push(entry);
  };
  const open: OpenNetwork[] = [];
  const closeBefore = (words: readonly number[] | undefined) => {
    for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
      if (words !== undefined && (inner.next === undefined || compareAt(inner.next, 0, words, width) > 0)) return;
      open.pop();
      if (inner.next !== undefined) begin(inner.next, open.at(-1)?.network.entry);
    }
  };
  for (const network of networks) {
    closeBefore(network.words);
    const around = open.at(-1)?.network;
    // An entry that is earlier in the website already names all addresses of this one.
    if (around !== undefined && around.place < network.place) continue;
    open.push({ network, next: findNext(network) });
    begin(network.words, network.entry);
  }
  closeBefore(undefined);
  return { width, boundaries, entries };
}

/** A network that has begun and not ended. */
interface OpenNetwork {
  readonly network: PlacedNetwork;
  /** The first address after it, or undefined if it has the last one of all. */
  readonly next: readonly number[] | undefined;
}

/** A network is in front of those within it. */
function compareNetworks(left: PlacedNetwork, right: PlacedNetwork): number {
  return compareAt(left.words, 0, right.words, left.words.length) || left.prefix - right.prefix;
}

/** Returns the first address after a network: it adds the size of the network to the word in which the prefix ends. */
function findNext({ words, prefix }: PlacedNetwork): number[] | undefined {
  if (prefix === 0) return undefined;
  const next = words.slice();
  let added = 2 ** ((32 - (prefix % 32)) % 32);
  for (let index = Math.ceil(prefix / 32) - 1; index >= 0; index -= 1) {
    const sum = (next[index] ?? 0) + added;
    next[index] = sum >>> 0;
    if (sum <= 0xffffffff) return next;
    added = 1;
  }
  return undefined;
}

/** Finds the entry that contains an address: the first of the website, if several do. */
export function findEntry({ width, boundaries, entries }: NetworkTable, words: ArrayLike<number>): string | undefined {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareAt(boundaries, middle * width, words, width) <= 0) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? undefined : entries[low - 1];
}

/** Compares the words that begin at `start` with an address. */
function compareAt(boundaries: readonly number[], start: number, words: ArrayLike<number>, width: number): number {
  for (let index = 0; index < width; index += 1) {
    const difference = (boundaries[start + index] ?? 0) - (words[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
