import { createWebsiteBody } from "@siteward/contract";
import type { WebsiteListRequest, WebsiteStore } from "@siteward/service";
import type { Storage } from "../src/storage/interface/storage.ts";
import { domainOf, type Layout, newDomains, rareWordOf } from "./layout.ts";

const growth = 1.5;
const searchGrowth = 3;

/**
 * How much longer each operation may take with a million websites than with a thousand. Operations that write come first, so
 * that reads include the effects of earlier writes.
 */
export const maxGrowths = {
  create: growth,
  update: growth,
  get: growth,
  "page of ten": growth,
  "page of ten, by domain": growth,
  "deep page, by cursor": growth,
  "deep page, by cursor and domain": growth,
  "numbered page, random": growth,
  "numbered page, random, by domain": growth,
  "search: 20 match": searchGrowth,
  "search: 20 match, by domain": searchGrowth,
  "search: half match": searchGrowth,
  "search: half match, by domain": searchGrowth,
  "search: all match": searchGrowth,
  "search: all match, by domain": searchGrowth,
} as const;

export type OperationName = keyof typeof maxGrowths;

/** An operation of the server on websites. Each run uses a random account. */
export interface Operation {
  /** @returns how many records it returned or changed */
  readonly run: () => Promise<number>;
  /** Reverts all runs. */
  readonly undo?: () => Promise<void>;
}

/** The input of the operations. */
export interface Workload {
  readonly storage: Storage;
  readonly layout: Layout;
  /** The total number of websites in all accounts. */
  readonly size: number;
}

export function prepareOperations(workload: Workload): Record<OperationName, Operation> {
  const { storage, layout, size } = workload;
  const choice = prepareChoice(workload);
  const list = prepareList(storage.websites, choice);
  const byDomain = { sortBy: "domain", sort: "asc" } as const;
  const middleId = Math.ceil(size / layout.accounts / 2);
  const rare = { search: rareWordOf(layout, size) };
  return {
    create: prepareCreate(storage.websites, choice),
    update: prepareUpdate(storage.websites, choice),
    get: { run: async () => requireFound(await storage.websites.get(choice.anAccount(), choice.anId())) },
    "page of ten": list({}),
    "page of ten, by domain": list(byDomain),
    "deep page, by cursor": list({ start: after(middleId) }),
    "deep page, by cursor and domain": list({ ...byDomain, start: after(domainOf(layout, 1, middleId)) }),
    "numbered page, random": prepareNumberedPage(storage.websites, choice, {}),
    "numbered page, random, by domain": prepareNumberedPage(storage.websites, choice, byDomain),
    "search: 20 match": list(rare),
    "search: 20 match, by domain": list({ ...byDomain, ...rare }),
    "search: half match": list({ search: "com" }),
    "search: half match, by domain": list({ ...byDomain, search: "com" }),
    "search: all match": list({ search: "." }),
    "search: all match, by domain": list({ ...byDomain, search: "." }),
  };
}

interface Choice {
  readonly anAccount: () => number;
  readonly anId: () => number;
}

function prepareChoice({ layout, size }: Workload): Choice {
  const random = createRandom(size);
  return {
    anAccount: () => 1 + Math.floor(random() * layout.accounts),
    anId: () => 1 + Math.floor((random() * size) / layout.accounts),
  };
}

function prepareList(websites: WebsiteStore, { anAccount }: Choice) {
  const first: WebsiteListRequest = { sortBy: "id", sort: "desc", perPage: 10, start: { page: 1 } };
  return (request: Partial<WebsiteListRequest>): Operation => ({
    run: async () => (await websites.list(anAccount(), { ...first, ...request })).websites.length,
  });
}

/** Reads pages of any depth that the interface allows. */
function prepareNumberedPage(
  websites: WebsiteStore,
  { anAccount, anId }: Choice,
  order: Pick<Partial<WebsiteListRequest>, "sort" | "sortBy">,
): Operation {
  const first = { sortBy: "id", sort: "asc", perPage: 10 } as const;
  return {
    run: async () => {
      const page = Math.ceil(Math.min(anId(), maxSkipped) / first.perPage);
      return (await websites.list(anAccount(), { ...first, ...order, start: { page } })).websites.length;
    },
  };
}

/** Who makes the changes. */
const by = { apiKey: "swk_benchAut", operator: null, requestId: "bench" };

/** A request can skip this many records. */
const maxSkipped = 100_000;

function after(key: number | string): WebsiteListRequest["start"] {
  return { position: { key, side: "after" }, direction: "forward" };
}

function prepareUpdate(websites: WebsiteStore, { anAccount, anId }: Choice): Operation {
  return {
    run: async () =>
      requireFound(
        await websites.update(anAccount(), anId(), ({ website: { email } }) => ({ email: email === 0 ? 1 : 0 }), by),
      ),
  };
}

const domains = newDomains();

function prepareCreate(websites: WebsiteStore, { anAccount }: Choice): Operation {
  const settings = { ...createWebsiteBody.parse({ domain: "example.com" }), passwordHash: null };
  const created: { accountId: number; id: number }[] = [];
  return {
    run: async () => {
      const accountId = anAccount();
      const website = { ...settings, domain: domains.next().value };
      created.push({
        accountId,
        id: (await websites.create(accountId, website, { by, idempotency: undefined })).website.id,
      });
      return 1;
    },
    undo: async () => {
      for (const { accountId, id } of created.splice(0)) await websites.delete(accountId, id, () => undefined, by);
    },
  };
}

function requireFound(found: unknown): 1 {
  if (found === undefined) throw new Error("The database does not contain what was written to it.");
  return 1;
}

/** A linear congruential generator, which returns the same numbers in every run and on every engine. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
