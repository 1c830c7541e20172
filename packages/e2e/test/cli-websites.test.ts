import { setTimeout as sleep } from "node:timers/promises";
import { Siteward } from "@siteward/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltServer, startBuiltServer } from "./support/built-server.ts";
import { mapConcurrently } from "./support/map-concurrently.ts";
import { readRealDomains } from "./support/real-domains.ts";
import { type CliRun, runBuiltCli } from "./support/run-built-cli.ts";
import { errorOf, startBuiltCli } from "./support/start-built-cli.ts";

let server: BuiltServer;

beforeAll(async () => {
  server = await startBuiltServer({ SITEWARD_RATE_LIMIT: "0" });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** Runs `siteward websites …` with a key of a new account. */
async function openAccount(): Promise<(...words: string[]) => Promise<CliRun>> {
  const { apiKey } = await server.createAccount();
  const settings = { SITEWARD_API_KEY: apiKey, SITEWARD_BASE_URL: server.url };
  return (...words) => runBuiltCli(["websites", ...words], settings);
}

describe("with the built server", () => {
  test("a website is found by its domain among others that contain it, in ASCII and in Unicode", async () => {
    const websites = await openAccount();
    await websites("create", "www.bücher.example", "bücher.example", "bücher.example.org", "a-bücher.example");
    for (const name of ["bücher.example", "Bücher.Example.", "xn--bcher-kva.example"]) {
      const { stdout } = await websites("get", name);
      expect(JSON.parse(stdout)).toMatchObject({ id: 2, domain: "xn--bcher-kva.example" });
    }
    expect((await websites("get", "cher.example")).exitCode).toBe(3);
  });

  test("five updates at once that each change an entry of the same lists lose none of them", async () => {
    const websites = await openAccount();
    await websites("create", "example.com", "--exclude-params", "a,b,c,d,e");
    const changes = ["a", "b", "c", "d", "e"].map((name, index) =>
      websites("update", "1", "--remove-exclude-params", name, "--add-exclude-ips", `203.0.113.${index}`),
    );
    expect((await Promise.all(changes)).map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0, 0]);
    const after = JSON.parse((await websites("get", "1")).stdout);
    expect(after.exclude_params).toEqual([]);
    expect(after.exclude_ips.toSorted()).toEqual([0, 1, 2, 3, 4].map((index) => `203.0.113.${index}`));
  });

  test("entries are removed in any form, and what is not in a list is said", async () => {
    const websites = await openAccount();
    await websites("create", "example.com", "--exclude-ips", "203.0.113.9/24,::ffff:192.0.2.1,2001:DB8::/32");
    const removed = ["203.0.113.0/24", "192.0.2.1/32", "2001:db8:0:0::/32", "198.51.100.1"];
    const run = await websites("update", "example.com", "--remove-exclude-ips", removed.join());
    expect(JSON.parse(run.stdout).exclude_ips).toEqual([]);
    expect(JSON.parse(run.stderr)).toEqual({ warning: { message: "exclude_ips does not contain 198.51.100.1." } });
  });

  test("several creates pass over a domain that is taken, and deletes by domain remove exactly those named", async () => {
    const websites = await openAccount();
    await websites("create", "taken.example");
    const created = await websites("create", "a.example", "b.example", "TAKEN.example", "c.example");
    expect(created.exitCode).toBe(7);
    expect(JSON.parse(created.stderr).error).toMatchObject({ code: "partly_done", existing: ["TAKEN.example"] });
    const deleted = await websites("delete", "b.example", "1", "c.example", "--yes");
    expect(JSON.parse(deleted.stdout)).toEqual([
      { id: 3, domain: "b.example", deleted: true },
      { id: 1, domain: "taken.example", deleted: true },
      { id: 4, domain: "c.example", deleted: true },
    ]);
    expect(JSON.parse((await websites("list", "--fields", "domain")).stdout)).toEqual([{ domain: "a.example" }]);
  });

  test("a delete of 800 that is killed, interrupted and limited, and repeated, deletes each once", async () => {
    const { id, apiKey } = await server.createAccount();
    const siteward = new Siteward({ apiKey, baseUrl: server.url });
    const domains = readRealDomains().slice(0, 800);
    await mapConcurrently(domains, 16, (domain) => siteward.websites.create({ domain }));
    // So many that the second half of the deletes needs more than the limit.
    const limited = ["--name", "cli", "--rate-limit", "750", "--json"];
    const { key } = await server.operate("keys", "create", "--account", String(id), ...limited);
    const settings = { SITEWARD_API_KEY: String(key), SITEWARD_BASE_URL: server.url };
    const count = async () => (await siteward.websites.list()).meta.total;
    const remove = (...flags: string[]) =>
      startBuiltCli(["websites", "delete", ...domains, "--yes", ...flags], settings);
    const waitForCount = async (left: number) => {
      while ((await count()) > left) await sleep(20);
    };

    const killed = remove();
    await waitForCount(600);
    killed.child.kill("SIGKILL");
    await killed.ended;

    const refused = await remove().ended;
    expect(refused).toMatchObject({ exitCode: 3, stdout: "" });
    const interrupted = remove("--ignore-missing");
    await waitForCount(400);
    interrupted.child.kill("SIGINT");
    const half = await interrupted.ended;
    expect(half.exitCode).toBe(130);
    const left = (await siteward.websites.list().toArray({ limit: 800 })).map(({ domain }) => domain);
    expect(errorOf(half)).toMatchObject({
      code: "interrupted",
      not_tried: domains.filter((each) => left.includes(each)),
    });

    const last = await remove("--ignore-missing").ended;
    expect(last).toMatchObject({ exitCode: 0 });
    expect(
      JSON.parse(last.stdout)
        .map(({ domain }: { domain: string }) => domain)
        .toSorted(),
    ).toEqual(left.toSorted());
    expect(await count()).toBe(0);
  });
});
