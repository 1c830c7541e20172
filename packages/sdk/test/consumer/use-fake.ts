import { isSitewardError, Siteward } from "@siteward/sdk";
import { createFakeSiteward, type FakeRequest, type FakeSiteward } from "@siteward/sdk/testing";

/** Uses the fake as a program that depends on the package. Returns what it saw. */
export async function run(): Promise<string[]> {
  const fake: FakeSiteward = createFakeSiteward({ websites: [{ domain: "Bücher.example" }], now: new Date(0) });
  // It can replace that of the platform.
  const standard: typeof globalThis.fetch = fake.fetch;
  const siteward = new Siteward({ ...fake.clientOptions, fetch: standard });
  fake.failNext({ networkError: true, when: "after", method: "POST" });
  const created = await siteward.websites.create({ domain: "a.example", exclude_ips: ["2001:DB8::1"] });
  fake.delayNext({ delayMs: Number.POSITIVE_INFINITY, times: 2 });
  const controller = new AbortController();
  const aborted = siteward.account
    .get({ signal: controller.signal })
    .catch((error: unknown) => (isSitewardError(error) ? error.code : error));
  // Nobody waits for this response, and it must not keep the program running.
  fake.fetch(`${fake.baseUrl}/api/v1/account`).catch(() => {});
  setTimeout(() => controller.abort(), 1);
  const end = String(await aborted);
  const statuses = fake.requests.map(({ method, status }: FakeRequest) => `${method} ${status}`);
  return [fake.websites[0]?.domain ?? "", created.exclude_ips.join(), end, statuses.join()];
}
