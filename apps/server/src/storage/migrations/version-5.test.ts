import { expect, it } from "vitest";
import { describeOnEveryEngine } from "../../../test/support/engines.ts";
import { collectPlan } from "../../../test/support/storage/collect-plan.ts";
import { copyInstallation } from "../../../test/support/storage/copy-installation.ts";
import { newWebsite } from "../../../test/support/storage/open-test-storage.ts";
import { readInstallation } from "../../../test/support/storage/read-installation.ts";
import { readSchema } from "../../../test/support/storage/read-schema.ts";
import { openWithTestAuthor, type TestStorage } from "../../../test/support/storage/with-test-author.ts";
import { fillVersion5 } from "../../../test/support/version-5/fill-version-5.ts";
import { openStorage } from "../open-storage.ts";
import { migrations } from "./migrations.ts";

const accountId = 1;
const since = 1_700_000_000_123;
/** The outcomes were kept 150 seconds after the beginning. */
const now = () => since + 200_000;

describeOnEveryEngine("a database at version 5 of before the first release", (engine) => {
  it("is migrated, and keeps all rows", async () => {
    await using place = await engine();
    await fillVersion5(place);
    const { versions, websites, ...before } = await readInstallation(place.databaseUrl);
    expect(websites).toHaveLength(131);
    expect(versions).toHaveLength(5);
    const ran: number[] = [];
    await (await openStorage({ ...place, onMigration: ({ version }) => ran.push(version) })).close();
    expect(ran).toEqual(migrations.slice(1).map(({ version }) => version));
    expect((await collectPlan(place, migrations)).steps).toEqual([]);
    const after = await readInstallation(place.databaseUrl);
    expect(after).toMatchObject(before);
    expect(after.websites).toEqual(websites.map((website) => ({ ...website, unicode_domain: null })));
  });

  it("gets the tables and indexes of a new database", async () => {
    await using place = await engine();
    await using fresh = await engine();
    await fillVersion5(place);
    await (await openStorage(place)).close();
    await (await openStorage(fresh)).close();
    const schema = await readSchema(place.databaseUrl);
    expect(schema).toEqual(await readSchema(fresh.databaseUrl));
    expect(schema.length).toBeGreaterThan(50);
  });

  it("answers what it kept for idempotency keys", async () => {
    await using opened = await openVersion5(engine);
    const { websites } = opened.storage;
    const find = (key: string) => websites.findCreated(accountId, { key, fingerprint: `fingerprint ${key}` });
    const kept = {
      domain: "kept.example",
      privacy: 2,
      has_password: true,
      email: 0,
      exclude_params: ["utm_*", 'quo"te'],
    };
    expect(await find("kept")).toMatchObject({ isReplay: true, version: 1, website: { id: 130, ...kept } });
    const taken = { reason: "domain-taken", domain: "kept.example", websiteId: 130 };
    await expect(find("refused")).rejects.toMatchObject({ failure: { reason: "refused-before", refusal: taken } });
    const full = { reason: "website-limit-reached", limit: 131 };
    await expect(find("full")).rejects.toMatchObject({ failure: { reason: "refused-before", refusal: full } });
  });

  it("finds its websites also in the block of the search index that later creates complete", async () => {
    await using opened = await openVersion5(engine);
    const { websites, accounts } = opened.storage;
    const search = async () => {
      const request = { search: "shop-", sortBy: "id", sort: "asc", perPage: 400, start: { page: 1 } } as const;
      return (await websites.list(accountId, request)).websites.map(({ id }) => id);
    };
    const ids = Array.from({ length: 129 }, (_, index) => index + 1).filter((id) => id !== 7);
    expect(await search()).toEqual(ids);
    // One is in a block of the index, the other after the last one.
    for (const id of [100, 129]) {
      expect(await websites.delete(accountId, id)).toBe(true);
      ids.splice(ids.indexOf(id), 1);
    }
    await accounts.update(accountId, { websiteLimit: null });
    for (let number = 0; number < 130; number += 1) {
      ids.push((await websites.create(accountId, newWebsite(`new-shop-${number}.example`))).website.id);
    }
    expect(await search()).toEqual(ids);
    expect(await opened.place.findFaults()).toEqual([]);
  });

  it("is copied once it is migrated", async () => {
    await using place = await engine();
    await using destination = await engine();
    await fillVersion5(place);
    await (await openStorage(place)).close();
    await copyInstallation(place.databaseUrl, destination.databaseUrl);
    const { versions: _, ...copied } = await readInstallation(destination.databaseUrl);
    expect(await readInstallation(place.databaseUrl)).toMatchObject(copied);
  });
});

describeOnEveryEngine("a database at an older version than 5", (engine) => {
  it.for([1, 4])("is refused and not changed (version %i)", async (version) => {
    await using place = await engine();
    await using destination = await engine();
    await fillVersion5(place);
    await place.execute(`delete from schema_migrations where version > ${version}`);
    const before = await readInstallation(place.databaseUrl);
    const message = `The database is at version ${version}, but this program knows versions from 5 on only.`;
    const refusal = { name: "InstallationError", code: "older_version", message };
    await expect(openStorage(place)).rejects.toMatchObject(refusal);
    await expect(collectPlan(place, migrations)).rejects.toMatchObject(refusal);
    const copying = copyInstallation(place.databaseUrl, destination.databaseUrl);
    await expect(copying).rejects.toMatchObject(refusal);
    expect(await readInstallation(place.databaseUrl)).toEqual(before);
  });
});

async function openVersion5(
  engine: Parameters<Parameters<typeof describeOnEveryEngine>[1]>[0],
): Promise<AsyncDisposable & { readonly place: Awaited<ReturnType<typeof engine>>; readonly storage: TestStorage }> {
  const place = await engine();
  await fillVersion5(place);
  const storage = await openWithTestAuthor({ ...place, now });
  return {
    place,
    storage,
    async [Symbol.asyncDispose]() {
      await storage.close();
      await place[Symbol.asyncDispose]();
    },
  };
}
