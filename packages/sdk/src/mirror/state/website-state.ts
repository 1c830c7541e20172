import type { Website } from "@siteward/contract/types";
import { isSame } from "./is-same.ts";
import type { MirroredWebsite, WebsiteChange } from "./mirrored-website.ts";
import { SharedLists } from "./shared-lists.ts";

/** The websites of an account, by ID and by domain. */
export class WebsiteState {
  readonly #byId = new Map<number, MirroredWebsite>();
  readonly #byDomain = new Map<string, MirroredWebsite>();
  readonly #lists = new SharedLists();

  get size(): number {
    return this.#byId.size;
  }

  byId(id: number): MirroredWebsite | undefined {
    return this.#byId.get(id);
  }

  /** @param domain in the form that the service stores */
  byDomain(domain: string): MirroredWebsite | undefined {
    return this.#byDomain.get(domain);
  }

  values(): IterableIterator<MirroredWebsite> {
    return this.#byId.values();
  }

  /**
   * Stores a website, unless a newer version of it is stored. The service never sets `updated_at` of a website back, whatever its
   * clocks say, so it tells which of two versions is newer. If both have the same time, the later answer is.
   *
   * @param website belongs to the state from now on, and is frozen
   * @param known an earlier state of the account. If the website is the same there, both keep one object.
   * @returns what changed, or undefined if nothing did
   */
  put(website: Website, known?: WebsiteState): WebsiteChange | undefined {
    const before = this.#byId.get(website.id);
    if (before !== undefined && (website.updated_at < before.updated_at || isSame(before, website))) return undefined;
    const earlier = known?.byId(website.id);
    const stored = earlier !== undefined && isSame(earlier, website) ? earlier : this.#lists.freeze(website);
    this.#byId.set(stored.id, stored);
    // A domain is free again once its website is deleted, and IDs are never reused. So the higher of two IDs has it now.
    const holder = this.#byDomain.get(stored.domain);
    if (holder === undefined || holder.id <= stored.id) this.#byDomain.set(stored.domain, stored);
    return { kind: before === undefined ? "created" : "updated", website: stored, before };
  }

  /** @returns what changed, or undefined if no such website is stored */
  delete(id: number): WebsiteChange | undefined {
    const before = this.#byId.get(id);
    if (before === undefined) return undefined;
    this.#byId.delete(id);
    if (this.#byDomain.get(before.domain) === before) this.#byDomain.delete(before.domain);
    return { kind: "deleted", website: before, before };
  }
}
