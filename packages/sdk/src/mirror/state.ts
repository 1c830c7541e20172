import type { Website } from "@siteward/contract/types";

/** A website of a mirror. It and its lists are frozen. */
export type MirroredWebsite = {
  readonly [Field in keyof Website]: Website[Field] extends string[] ? readonly string[] : Website[Field];
};

/** A website was created, updated or deleted since the mirror last knew it. */
export interface WebsiteChange {
  /** What happened. Several changes between two requests are one: what a website was, and what it is now. */
  readonly kind: "created" | "updated" | "deleted";
  /** The website as it is now. If it was deleted, as the mirror last knew it. */
  readonly website: MirroredWebsite;
  /** The website as it was before. Undefined if it was created. */
  readonly before: MirroredWebsite | undefined;
}

/** The websites of an account at some time, by ID and by domain. Others only read the maps. */
export class WebsiteState {
  readonly byId: Map<number, MirroredWebsite> = new Map();
  /** By the domain in the form that the service stores. */
  readonly byDomain: Map<string, MirroredWebsite> = new Map();

  /**
   * Stores a website, unless a newer version is stored: the service never sets `updated_at` of a website back.
   *
   * @param website is frozen: copies of 100,000 are 30 MB of garbage
   * @param known an earlier state of the account. If the website is the same there, both keep one object.
   * @returns what changed, or undefined if nothing did
   */
  put(website: Website, known?: WebsiteState): WebsiteChange | undefined {
    const before = this.byId.get(website.id);
    if (before !== undefined && (website.updated_at < before.updated_at || isSame(before, website))) return undefined;
    const earlier = known?.byId.get(website.id);
    const stored = earlier !== undefined && isSame(earlier, website) ? earlier : freeze(website);
    this.byId.set(stored.id, stored);
    // A domain is free again once its website is deleted, and IDs are never reused: the higher of two IDs has it.
    const holder = this.byDomain.get(stored.domain);
    if (holder === undefined || holder.id <= stored.id) this.byDomain.set(stored.domain, stored);
    return { kind: before === undefined ? "created" : "updated", website: stored, before };
  }

  /** @returns what changed, or undefined if no such website is stored */
  delete(id: number): WebsiteChange | undefined {
    const before = this.byId.get(id);
    if (before === undefined) return undefined;
    this.byId.delete(id);
    if (this.byDomain.get(before.domain) === before) this.byDomain.delete(before.domain);
    return { kind: "deleted", website: before, before };
  }

  /** Returns what is different from a state that this one replaces. Deletions come first. */
  *changesSince(earlier: WebsiteState): Generator<WebsiteChange, void, undefined> {
    for (const before of earlier.byId.values()) {
      if (!this.byId.has(before.id)) yield { kind: "deleted", website: before, before };
    }
    for (const website of this.byId.values()) {
      const before = earlier.byId.get(website.id);
      // A website that is the same in both is one object.
      if (before !== website) yield { kind: before === undefined ? "created" : "updated", website, before };
    }
  }
}

/** Whether two versions of a website have the same fields, also those that only a newer service has. */
function isSame(left: MirroredWebsite, right: MirroredWebsite): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

const noEntries: readonly string[] = Object.freeze([]);

/** Most lists are empty, and most websites are never changed: then they share one list, or their times one string. */
function freeze(website: Website): MirroredWebsite {
  const { created_at, updated_at } = website;
  const [exclude_params, exclude_ips] = [website.exclude_params, website.exclude_ips].map((list) =>
    list.length === 0 ? noEntries : Object.freeze(list),
  );
  const shared = { exclude_params, exclude_ips, updated_at: updated_at === created_at ? created_at : updated_at };
  return Object.freeze(Object.assign(website, shared));
}
