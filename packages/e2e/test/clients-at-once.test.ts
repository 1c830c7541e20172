import { isApiError, type Privacy, Siteward } from "@siteward/sdk";
import { expect, test } from "vitest";
import { startBuiltServer } from "./support/built-server.ts";

const limit = 600;
const maxConcurrent = 32;

test("640 creates at once all end at a limit of 600 a minute, with two workers, and few of them are refused on the way", {
  timeout: 60_000,
}, async () => {
  await using server = await startBuiltServer({ SITEWARD_RATE_LIMIT: String(limit), SITEWARD_WORKERS: "2" });
  const { apiKey } = await server.createAccount();
  let refusals = 0;
  const siteward = new Siteward({
    apiKey,
    baseUrl: server.url,
    maxConcurrent,
    onRetry: ({ error }) => {
      if (isApiError(error, "rate_limited")) refusals += 1;
    },
  });
  const domains = Array.from({ length: limit + 40 }, (_, index) => `site-${index}.example`);

  const created = await Promise.all(domains.map((domain) => siteward.websites.create({ domain })));

  expect(created.map(({ domain }) => domain)).toEqual(domains);
  expect(new Set(created.map(({ id }) => id)).size).toBe(domains.length);
  // The bucket is empty once. Two times, because on a busy machine a request can arrive long after it was sent.
  expect(refusals).toBeLessThanOrEqual(2 * maxConcurrent);
});

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
