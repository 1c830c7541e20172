import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type FakeService, keys, startFakeService } from "./support/fake-service.ts";
import { type RunResult, runCli } from "./support/run-cli.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

function run(service: FakeService, args: readonly string[], stdin = ""): Promise<RunResult> {
  return runCli(["websites", ...args], {
    env: { SITEWARD_API_KEY: keys.full, SITEWARD_BASE_URL: service.baseUrl },
    stdin,
  });
}

describe("list", () => {
  test("sends the given parameters and no others", async () => {
    await using service = await startFakeService();
    const flags = "--search ex --sort-by domain --sort asc --per-page 25 --page 3".split(" ");
    await run(service, ["list", ...flags]);
    await run(service, ["list", "--cursor", "after-10"]);
    expect(service.requests.map(({ query }) => Object.fromEntries(query))).toEqual([
      { search: "ex", sort_by: "domain", sort: "asc", per_page: "25", page: "3" },
      { cursor: "after-10" },
    ]);
  });
});

describe("create", () => {
  test("sends every setting under its name in the contract, and prints the record", async () => {
    await using service = await startFakeService();
    const lists = ["--exclude-params", "utm_*,ref", "--exclude-params", "id", "--exclude-ips", "203.0.113.0/24"];
    const flags = ["--privacy", "Password", "--password-stdin", "--email", "on", "--exclude-bots", "0", ...lists];
    const created = await run(service, ["create", "example.com", ...flags], "correct horse\n");
    expect(service.requests[0]?.body).toEqual({
      domain: "example.com",
      privacy: 2,
      password: "correct horse",
      email: 1,
      exclude_bots: 0,
      exclude_params: ["utm_*", "ref", "id"],
      exclude_ips: ["203.0.113.0/24"],
    });
    expect(JSON.parse(created.stdout)).toMatchObject({ id: 1, domain: "example.com", has_password: true });
  });

  test("accepts the domain as a flag, and does not send omitted settings", async () => {
    await using service = await startFakeService();
    await run(service, ["create", "--domain", "example.com"]);
    expect(service.requests[0]?.body).toEqual({ domain: "example.com" });
  });

  test("sends the IP addresses of a file, without its comments, after those of the flag", async () => {
    await using service = await startFakeService();
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "ips.txt");
    await writeFile(path, "# the office\r\n198.51.100.7 # door\r\n\r\n2001:db8::/32\n");
    await run(service, ["create", "example.com", "--exclude-ips", "203.0.113.9", "--exclude-ips-file", path]);
    expect(service.requests[0]?.body).toMatchObject({ exclude_ips: ["203.0.113.9", "198.51.100.7", "2001:db8::/32"] });
  });

  test("names the line of each entry of a file that is not valid, before it sends a request", async () => {
    await using service = await startFakeService();
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "ips.txt");
    await writeFile(path, "# the office\r\n198.51.100.7, 1.2.3\r\n\r\noffice # door\r\n");
    const { exitCode, stderr } = await run(service, ["create", "example.com", "--exclude-ips-file", path]);
    expect({ exitCode, requests: service.requests }).toEqual({ exitCode: 2, requests: [] });
    const [head, ...lines] = JSON.parse(stderr).error.message.split("\n");
    expect(head).toBe(`The file of --exclude-ips-file, ${path}, has 2 entries that are not valid:`);
    expect(lines).toEqual([
      expect.stringMatching(/^ {2}line 2: "1\.2\.3" is not an IPv4 address/),
      expect.stringMatching(/^ {2}line 4: "office" is not /),
    ]);
  });
});

describe("create with --idempotency-key", () => {
  test("creates one website, also if the command is repeated", async () => {
    await using service = await startFakeService();
    const first = await run(service, ["create", "example.com", "--idempotency-key", "import-42"]);
    const second = await run(service, ["create", "example.com", "--idempotency-key", "import-42"]);
    expect(service.requests.map(({ idempotencyKey }) => idempotencyKey)).toEqual(["import-42", "import-42"]);
    expect(second).toEqual(first);
    expect(service.websites.size).toBe(1);
  });
});

describe("get with --etag", () => {
  test("adds the entity tag to the website, with its quotes", async () => {
    await using service = await startFakeService(["example.com"]);
    const plain = await run(service, ["get", "1"]);
    const tagged = await run(service, ["get", "1", "--etag"]);
    expect(JSON.parse(tagged.stdout)).toEqual({ ...JSON.parse(plain.stdout), etag: '"1-1"' });
    const chosen = await run(service, ["get", "1", "--etag", "--fields", "id,etag"]);
    expect(JSON.parse(chosen.stdout)).toEqual({ id: 1, etag: '"1-1"' });
  });
});

describe("--if-match", () => {
  test.each([
    ['"1-1"', '"1-1"'],
    ["1-1", '"1-1"'],
    ['W/"1-1"', '"1-1"'],
    ["*", "*"],
  ])("%s is sent as %s, with an update and with a delete", async (tag, sent) => {
    await using service = await startFakeService(["example.com"]);
    await run(service, ["update", "1", "--email", "on", "--if-match", tag]);
    await run(service, ["delete", "1", "--yes", "--if-match", tag]);
    expect(service.requests.map(({ method, ifMatch }) => [method, ifMatch])).toEqual([
      ["PUT", sent],
      ["GET", undefined],
      ["DELETE", sent],
    ]);
  });

  test("is not sent if it is omitted", async () => {
    await using service = await startFakeService(["example.com"]);
    await run(service, ["update", "1", "--email", "on"]);
    expect(service.requests[0]?.ifMatch).toBeUndefined();
  });
});

describe("update", () => {
  test("sends only the given settings, and an empty list for an empty value", async () => {
    await using service = await startFakeService(["example.com"]);
    const updated = await run(service, ["update", "1", "--exclude-ips", "", "--privacy", "1"]);
    expect(service.requests[0]).toMatchObject({ method: "PUT", path: "/api/v1/websites/1" });
    expect(service.requests[0]?.body).toEqual({ privacy: 1, exclude_ips: [] });
    expect(JSON.parse(updated.stdout)).toMatchObject({ id: 1, privacy: 1 });
  });

  test("prints the error of the service, and how to send a password, if it cannot be prompted for", async () => {
    await using service = await startFakeService(["example.com"]);
    const updated = await run(service, ["update", "1", "--privacy", "2"]);
    expect(updated.exitCode).toBe(2);
    expect(JSON.parse(updated.stderr).error).toMatchObject({
      errors: { password: ["is required"] },
      next: "To send a password, use --password-stdin.",
    });
  });
});

describe("delete", () => {
  test("deletes each website once and lists them", async () => {
    await using service = await startFakeService(["a.example", "b.example", "c.example"]);
    const deleted = await run(service, ["delete", "1", "3", "1", "--yes"]);
    expect(JSON.parse(deleted.stdout)).toEqual([
      { id: 1, domain: "a.example", deleted: true },
      { id: 3, domain: "c.example", deleted: true },
    ]);
    expect([...service.websites.keys()]).toEqual([2]);
  });

  test("sends nothing without --yes", async () => {
    await using service = await startFakeService(["a.example"]);
    const refused = await run(service, ["delete", "1"], "y\n");
    expect(refused.exitCode).toBe(2);
    expect(JSON.parse(refused.stderr).error.code).toBe("confirmation_required");
    expect(service.requests).toEqual([]);
  });
});
