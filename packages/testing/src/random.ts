/** Random choices that depend only on a seed. */
export interface Random {
  /** An integer from `min` to `max`, inclusive. */
  integer(min: number, max: number): number;
  pick<Item>(items: readonly Item[]): Item;
  /** True in `share` of the cases, from 0 to 1. */
  chance(share: number): boolean;
  /** A separate source, so that concurrent tasks do not change each other's choices. */
  fork(name: string): Random;
}

/** Mulberry32: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    integer,
    pick(items) {
      const item = items[integer(0, items.length - 1)];
      if (item === undefined) throw new Error("The list to pick from is empty.");
      return item;
    },
    chance: (share) => next() < share,
    fork: (name) => createRandom(hash(`${seed} ${name}`)),
  };
}

/** FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value >>> 0;
}
