import { toDomain } from "./domain.ts";

/** How websites are spread over accounts, and how many there are in turn. */
export interface Layout {
  readonly title: string;
  readonly accounts: number;
  /** Websites in all accounts together, rising. */
  readonly sizes: readonly number[];
}

/** How many websites of an account hold the rare word of a size, where the account has that many. */
const rareCount = 20;
/** None of these is a part of any other domain. */
const rareWords = ["quokka", "axolotl", "wombat", "gecko"];

/** The word that few websites of every account hold at one of the sizes. */
export function rareWordOf({ sizes }: Layout, size: number): string {
  return rareWords[sizes.indexOf(size) % rareWords.length] ?? "";
}

/** The domain of an account's website, both counted from 1. */
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

/** Domains that no website of the layout has. */
export function* newDomains(): Generator<string, never> {
  for (let number = firstNewNumber; ; number += 1) yield toDomain(number);
}

const firstNewNumber = 2_000_000;
