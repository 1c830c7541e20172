import type { Website } from "@siteward/contract/types";
import type { MirroredWebsite } from "./mirrored-website.ts";

/** Accounts have few different lists. Past this number, sharing begins anew, so that old lists are not kept for ever. */
const maxLists = 1_000;
const noEntries: readonly string[] = Object.freeze([]);

/** Lets websites with the same lists share them. Most lists are empty, and lists of an account are often copies of each other. */
export class SharedLists {
  readonly #lists = new Map<string, readonly string[]>();

  /** Returns the website as a mirror keeps it: the object that was passed, frozen. Copies of 100,000 are 30 MB of garbage. */
  freeze(website: Website): MirroredWebsite {
    const { exclude_params, exclude_ips, created_at, updated_at } = website;
    const shared = {
      exclude_params: this.#share(exclude_params),
      exclude_ips: this.#share(exclude_ips),
      // Most websites are never changed, and then the two are one string.
      updated_at: updated_at === created_at ? created_at : updated_at,
    };
    return Object.freeze(Object.assign(website, shared));
  }

  #share(list: readonly string[]): readonly string[] {
    if (list.length === 0) return noEntries;
    const key = JSON.stringify(list);
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    if (this.#lists.size >= maxLists) this.#lists.clear();
    this.#lists.set(key, Object.freeze(list));
    return list;
  }
}
