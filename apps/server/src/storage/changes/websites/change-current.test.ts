import type { VersionedWebsite } from "@siteward/service";
import { expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../../test/support/engines.ts";
import { createTestAccount, newWebsite, openTestStorage } from "../../../../test/support/storage/open-test-storage.ts";

describeOnEveryEngine("a change of a record that this process has stored", (engine) => {
  it("is decided again if a standby without the last change has counted its version again", async () => {
    await using storage = await openTestStorage(engine);
    const { database, websites } = storage;
    const accountId = await createTestAccount(storage);
    for (const id of [1, 2]) {
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
  });
});
