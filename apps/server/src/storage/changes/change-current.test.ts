import type { Website } from "@siteward/contract";
import type { VersionedWebsite } from "@siteward/service";
import { describe, expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../test/support/engines.ts";
import { createTestAccount, newWebsite, openTestStorage } from "../../../test/support/storage.ts";
import { createTurns, RecentWebsites } from "./change-current.ts";

describeOnEveryEngine("a change of a record that this process has stored", (engine) => {
  it("is decided again if a standby without the last change has counted its version again", async () => {
    await using storage = await openTestStorage(engine);
    const { database, websites } = storage;
    const accountId = await createTestAccount(storage);
    for (const id of [1, 2, 3]) {
      await websites.create(accountId, newWebsite(`site-${id}.example`));
      await websites.update(accountId, id, () => ({ email: 1 }));
    }
    await database.execute("update websites set email = 0, exclude_bots = 1, updated_at = updated_at + 1");
    const updated = await websites.update(accountId, 1, () => ({ privacy: 1 }));
    expect(updated).toMatchObject({ version: 3, website: { privacy: 1, email: 0, exclude_bots: 1 } });
    expect(await websites.get(accountId, 1)).toEqual(updated);
    const refuse = ({ website }: VersionedWebsite) => {
      if (website.exclude_bots === 1) throw new Error("It is another one.");
    };
    await expect(websites.delete(accountId, 2, refuse)).rejects.toThrow("It is another one.");
    const requireNoEmail = ({ website }: VersionedWebsite) => {
      if (website.email === 1) throw new Error("It is the one before.");
    };
    expect(await websites.delete(accountId, 3, requireNoEmail)).toBe(true);
  });
});

describe("tasks that take turns", () => {
  it("run one at a time in the order of the calls, also after one that fails", async () => {
    const takeTurn = createTurns(60_000);
    const events: string[] = [];
    const task = (name: string) => async () => {
      events.push(`${name} starts`);
      await Promise.resolve();
      events.push(`${name} ends`);
      if (name === "a") throw new Error("No.");
    };
    const outcomes = await Promise.allSettled(["a", "b", "c"].map((name) => takeTurn("key", task(name))));
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    expect(events).toEqual(["a", "b", "c"].flatMap((name) => [`${name} starts`, `${name} ends`]));
  });

  it("are all refused when their turn comes, and not run, if they waited for too long", async () => {
    const takeTurn = createTurns(-1);
    const blocked = Promise.withResolvers<void>();
    const first = takeTurn("a", () => blocked.promise);
    let runs = 0;
    const late = [1, 2, 3].map(() => takeTurn("a", async () => (runs += 1)));
    blocked.resolve();
    await first;
    for (const { status } of await Promise.allSettled(late)) expect(status).toBe("rejected");
    expect(runs).toBe(0);
  });
});

const accountId = 7;

const names = Array.from({ length: 100 }, (_, index) => `parameter-${index}`);
const longNames = names.map((name) => name.padEnd(128, "й"));

// A string can have characters outside of Latin-1, so each counts as two bytes: the last of these records take 29 kB each.
it.each([
  ["records", 100, 14_000, {}, 10, 80],
  ["addresses in lists", 100, 14_000, { exclude_ips: names }, 1, 98],
  ["long names in lists", 10, 80_000, { exclude_params: longNames }, 1, 8],
] as const)(
  "remembers as many records as fit into its bytes, those that were stored last: %s",
  (_, count, bytes, lists, kept, gone) => {
    const recent = new RecentWebsites(bytes);
    const record = (id: number) => recordOf(id, lists as Partial<Website>);
    for (let id = 1; id <= count; id += 1) recent.remember(accountId, record(id));
    for (let id = 1; id <= gone; id += 1) expect(recent.take(accountId, id)).toBeUndefined();
    for (let id = count - kept + 1; id <= count; id += 1) expect(recent.take(accountId, id)).toEqual(record(id));
  },
);

function recordOf(id: number, lists: Partial<Pick<Website, "exclude_params" | "exclude_ips">> = {}): VersionedWebsite {
  const time = "2026-01-01T00:00:00.000Z";
  const settings = { privacy: 0, email: 0, exclude_bots: 0 } as const;
  const website = { id, domain: `site-${id}.example`, has_password: false, created_at: time, updated_at: time };
  return { website: { ...website, ...settings, exclude_params: [], exclude_ips: [], ...lists }, version: 1 };
}
