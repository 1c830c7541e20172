import { toDomain } from "./domain.ts";

/** How websites are distributed over accounts, and the sizes to measure. */
export interface Layout {
  readonly title: string;
  readonly accounts: number;
  /** Total numbers of websites in all accounts, in ascending order. */
  readonly sizes: readonly number[];
}

/** How many websites of an account contain the rare word of a size, if the account has that many. */
const rareCount = 20;
/** No other domain contains any of these. */
const rareWords = ["quokka", "axolotl", "wombat", "gecko"];

/** Returns the word that only a few websites of every account contain at one of the sizes. */
export function rareWordOf({ sizes }: Layout, size: number): string {
  return rareWords[sizes.indexOf(size) % rareWords.length] ?? "";
}

/** Returns the domain of an account's website. Accounts and websites are counted from 1. */
export function domainOf(layout: Layout, accountId: number, id: number): string {
  const number = (id - 1) * layout.accounts + accountId - 1;
  const domain = toDomain(number);
  const size = layout.sizes.find((candidate, index) => {
    const websites = candidate / layout.accounts;
    const step = Math.max(1, Math.floor(websites / rareCount));
    return id <= websites && (id - 1) % step === index % step;
  });
  return size === undefined ? domain : `${rareWordOf(layout, size)}-${domain}`;
}

/** Yields domains that no website of the layout has. */
export function* newDomains(): Generator<string, never> {
  for (let number = firstNewNumber; ; number += 1) yield toDomain(number);
}

const firstNewNumber = 2_000_000;
