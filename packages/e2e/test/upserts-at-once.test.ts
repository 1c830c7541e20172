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
  for (const [index, { data }] of outcomes.entries())
    expect(data).toMatchObject({ privacy: index % 2, exclude_params: [`p${index}`] });
  expect(outcomes.map(({ data }) => data)).toContainEqual(await websites.getByDomain("bücher.example"));

  const upserts = Array.from({ length: 100 }, (_, index) => ({ exclude_params: [`q${index}`] }));
  let deleted = 0;
  const remove = async () => {
    while (upserts.length > 0) {
      const website = await websites.getByDomain("bücher.example");
      if (website === undefined) continue;
      const failure: unknown = await websites.delete(website.id).catch((error: unknown) => error);
      if (failure === undefined) deleted += 1;
      else if (!isApiError(failure, "not_found")) throw failure;
    }
  };
  const upsert = async () => {
    for (let fields = upserts.pop(); fields !== undefined; fields = upserts.pop())
      expect(await websites.upsert({ domain: "bücher.example", ...fields })).toMatchObject(fields);
  };
  await Promise.all([remove(), remove(), upsert(), upsert(), upsert(), upsert(), upsert()]);
  expect(deleted).toBeGreaterThan(0);
});
