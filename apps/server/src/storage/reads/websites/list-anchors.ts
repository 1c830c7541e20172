/** One order of the websites of an account. */
export interface ListName {
  readonly accountId: number;
  readonly sortBy: "id" | "domain";
  readonly order: "asc" | "desc";
}

/**
 * The state of an account that decides which websites are at which place of its lists. Every create raises `created` and every
 * delete lowers `total`, ids are never used twice, and domains never change. So two states are the same only if no website was
 * created or deleted between them.
 */
export interface ListState {
  /** The highest website id ever assigned. */
  readonly created: number;
  /** The number of websites. */
  readonly total: number;
}

/** The record at a place of the list. Places are counted from 0. */
export interface ListAnchor {
  readonly place: number;
  readonly key: number | string;
}

/** What is known about a list in one state. */
export interface AnchoredList {
  readonly state: ListState;
  /** In ascending order of place. When they are read, the first is at place 0. Creates can move it. */
  readonly anchors: readonly ListAnchor[];
}

/**
 * How far anchors are from each other when they are read. Creates can double that. Skipping that many records takes 0.05 ms on
 * SQLite.
 */
export const anchorStep = 1_000;

/** A list has up to 101 anchors of up to 253 characters, so all of them take at most 3 MB. */
const maxLists = 100;
/** After a restore from a backup, the account could get into a state again that it had before, with other websites. */
const maxAgeMs = 60_000;

/** Remembers the anchors of the lists that were used last. */
export class ListAnchors {
  readonly #now: () => number;
  readonly #lists = new Map<string, AnchoredList & { readonly since: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get(name: ListName): AnchoredList | undefined {
    const key = toKey(name);
    const known = this.#lists.get(key);
    if (known === undefined) return undefined;
    this.#lists.delete(key);
    const age = this.#now() - known.since;
    if (age < 0 || age > maxAgeMs) return undefined;
    this.#lists.set(key, known);
    return known;
  }

  /** Replaces what is known about the list. An extended list keeps its age. */
  set(name: ListName, list: AnchoredList): void {
    const key = toKey(name);
    const since = this.#lists.get(key)?.since ?? this.#now();
    this.#lists.delete(key);
    this.#lists.set(key, { ...list, since });
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > maxLists && oldest !== undefined) this.#lists.delete(oldest);
  }

  delete(name: ListName): void {
    this.#lists.delete(toKey(name));
  }
}

function toKey({ accountId, sortBy, order }: ListName): string {
  return `${accountId} ${sortBy} ${order}`;
}

export function isSameState(left: ListState, right: ListState): boolean {
  return left.created === right.created && left.total === right.total;
}

/** Returns the last anchor at or before the place. */
export function findAnchor({ anchors }: AnchoredList, place: number): ListAnchor | undefined {
  return anchors.findLast((anchor) => anchor.place <= place);
}

/** Returns how many creates are between the two states. Undefined if websites were deleted, or if there are too many. */
export function countCreates(before: ListState, after: ListState): number | undefined {
  const creates = after.created - before.created;
  const deletes = before.total + creates - after.total;
  return deletes === 0 && creates > 0 && creates <= anchorStep ? creates : undefined;
}

/**
 * Moves the anchors by the websites that were created.
 *
 * @param keys the sort keys of the new websites
 * @returns undefined if anchors are too far from each other now
 */
export function insertKeys(
  { anchors }: AnchoredList,
  { order }: ListName,
  keys: readonly (number | string)[],
): ListAnchor[] | undefined {
  const isBefore = (key: number | string, other: number | string) => (order === "asc" ? key < other : key > other);
  const moved = anchors.map(({ place, key }) => ({
    place: place + keys.filter((added) => isBefore(added, key)).length,
    key,
  }));
  const isTooFar = moved.some(({ place }, index) => place - (moved[index - 1]?.place ?? 0) > 2 * anchorStep);
  return isTooFar ? undefined : moved;
}
