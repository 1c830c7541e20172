import { isApiError, type Privacy, Siteward } from "@siteward/sdk";
import { expect, test } from "vitest";
import { startBuiltServer } from "./support/built-server.ts";

test("upserts of one domain at the same time create it once, and all of them are stored, also while others delete it", async () => {
  // Two processes, so that simultaneous requests meet only in the database.
  await using server = await startBuiltServer({ SITEWARD_WORKERS: "2" });
  const { apiKey } = await server.createAccount();
  const { websites } = new Siteward({ apiKey, baseUrl: server.url });
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, (_, index) => {
      const settings = { privacy: (index % 2) as Privacy, exclude_params: [`p${index}`] };
      return websites.upsert({ domain: "Bücher.example", ...settings }).withResponse();
    }),
  );
  expect(outcomes.filter(({ response }) => response.status === 201)).toHaveLength(1);
  expect(new Set(outcomes.map(({ data }) => data.id)).size).toBe(1);
  for (const [index, { data }] of outcomes.entries()) {
    expect(data).toMatchObject({ privacy: index % 2, exclude_params: [`p${index}`] });
  }
  expect(outcomes.map(({ data }) => data)).toContainEqual(await websites.getByDomain("bücher.example"));

  let isDone = false;
  let deleted = 0;
  const remove = async () => {
    while (!isDone) {
      const website = await websites.getByDomain("bücher.example");
      if (website === undefined) continue;
      const failure: unknown = await websites.delete(website.id).catch((error: unknown) => error);
      if (failure === undefined) deleted += 1;
      else if (!isApiError(failure, "not_found")) throw failure;
    }
  };
  const upsert = async (worker: number) => {
    for (let round = 0; round < 20; round += 1) {
      const fields = { exclude_params: [`p${worker}-${round}`] };
      expect(await websites.upsert({ domain: "bücher.example", ...fields })).toMatchObject(fields);
    }
  };
  const removing = Promise.all([remove(), remove()]);
  await Promise.all([0, 1, 2, 3, 4].map(upsert)).finally(() => {
    isDone = true;
  });
  await removing;
  expect(deleted).toBeGreaterThan(0);
});
