import { awayFromMidnight } from "@siteward/testing/away-from-midnight";
import { beforeEach, expect, test } from "vitest";
import { engines } from "./support/engines.ts";
import { fullLists } from "./support/full-lists.ts";
import { startTestServer } from "./support/test-server.ts";

const websites = "/api/v1/websites";

beforeEach(() => awayFromMidnight(15_000));

test("a change past the limit of its account is a 429 that says when it ends, and everything else works", async () => {
  await using server = await startTestServer(engines.sqlite, { settings: { SITEWARD_TRAIL_LIMIT: "1" } });
  const { key } = await server.addAccount();
  const other = await server.addAccount();
  const send = (method: string, path: string, json?: object, headers = {}) =>
    server.call(method, `${websites}${path}`, { key, headers, ...(json === undefined ? {} : { json }) });
  const first = { "Idempotency-Key": "first" };
  let answer = await send("POST", "", { domain: "a.example" }, first);
  for (let number = 0; answer.status < 300; number += 1) answer = await send("PUT", "/1", fullLists(number));
  const midnightMs = new Date().setUTCHours(24, 0, 0, 0);
  const seconds = Math.ceil((midnightMs - Date.now()) / 1000);
  const midnight = new Date(midnightMs).toISOString().replace(".000Z", "Z");
  expect(answer.refusal).toEqual([429, "change_limit_reached"]);
  expect(answer.problem.detail).toBe(
    "The changes of this account have reached their limit of 1 MB in the audit trail in a day (UTC). " +
      "Reads still work, and deletions until they have left half as much again. " +
      `Retry the change after ${midnight}, or ask the operator for a higher limit.`,
  );
  expect(Number(answer.header("Retry-After"))).toBeGreaterThanOrEqual(seconds);
  expect(Number(answer.header("Retry-After"))).toBeLessThanOrEqual(seconds + 2);
  expect((await send("POST", "", { domain: "b.example" })).refusal).toEqual([429, "change_limit_reached"]);
  // A request that is wrong, or changes nothing, has the answer that it had before.
  expect((await send("POST", "", { domain: "b" })).refusal).toEqual([422, "validation_failed"]);
  expect((await send("PUT", "/1", { email: 1 }, { "If-Match": '"1-1-1"' })).status).toBe(412);
  const replayed = await send("POST", "", { domain: "a.example" }, first);
  expect([replayed.status, replayed.header("Idempotency-Replayed")]).toEqual([201, "true"]);
  const { exclude_ips } = (await send("GET", "/1")).website;
  expect(await send("PUT", "/1", { exclude_ips })).toMatchObject({ status: 200 });
  expect(await send("DELETE", "/1")).toMatchObject({ status: 204 });
  const elsewhere = await server.call("POST", websites, { key: other.key, json: { domain: "a.example" } });
  expect(elsewhere.status).toBe(201);
});

test("a deletion past the limit of deletions is a 429 that says so, and the log names the account once", async () => {
  await using server = await startTestServer(engines.sqlite, { settings: { SITEWARD_TRAIL_LIMIT: "1" } });
  const send = (method: string, path: string, json?: object) => server.call(method, `${websites}${path}`, { json });
  const create = (created: number) => send("POST", "", { domain: `${created}.example`, ...fullLists(created) });
  let created = 0;
  while ((await create(created)).status === 201) created += 1;
  let deleted = 0;
  let refused = await send("DELETE", "/1");
  for (; refused.status === 204; refused = await send("DELETE", `/${deleted + 1}`)) deleted += 1;
  expect(deleted / created).toBeGreaterThan(0.4);
  expect(deleted / created).toBeLessThan(0.7);
  expect(refused.refusal).toEqual([429, "change_limit_reached"]);
  expect(refused.problem.detail).toContain(
    "The changes of this account have reached their limit of 1 MB in the audit trail in a day (UTC), and its " +
      "deletions their limit of half as much again. Reads still work. Retry the deletion after ",
  );
  const refusal = { account_id: server.accountId, status: 429, reason: "change_limit_reached" };
  expect(server.log.entries).toContainEqual(expect.objectContaining(refusal));
});
