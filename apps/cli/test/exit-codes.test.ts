import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { keys, startFakeService } from "./support/fake-service.ts";
import { binPath, cleanEnvironment, runCli } from "./support/run-cli.ts";
import { serveFake } from "./support/serve-fake.ts";

function as(apiKey: string, baseUrl: string) {
  return { env: { SITEWARD_API_KEY: apiKey, SITEWARD_BASE_URL: baseUrl } };
}

describe("0, success", () => {
  test("a command that succeeds", async () => {
    await using service = await startFakeService(["example.com"]);
    const run = await runCli(["websites", "get", "1"], as(keys.full, service.baseUrl));
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  });

  test("a reader that goes away, as with `| head`", async () => {
    await using service = await startFakeService(Array.from({ length: 3000 }, (_, index) => `site-${index}.example`));
    const child = spawn(process.execPath, [binPath, "websites", "list", "--all", "-o", "ndjson"], {
      env: cleanEnvironment(as(keys.full, service.baseUrl).env),
    });
    child.stdout.once("data", () => child.stdout.destroy());
    const [stderr, [exitCode]] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(service.requests.length, "it stops reading once the reader is gone").toBeLessThan(30);
  });
});

describe("1, the service or the network failed", () => {
  test("a service that is not running", async () => {
    const run = await runCli(["account"], as(keys.full, "http://127.0.0.1:9"));
    expect(run.exitCode).toBe(1);
    expect(JSON.parse(run.stderr)).toMatchObject({ error: { code: "connection_failed", next: expect.any(String) } });
  });

  test("an error of the service", async () => {
    await using service = await startFakeService();
    service.answerNext({ problem: { status: 500, code: "internal" } });
    const run = await runCli(["account"], as(keys.full, service.baseUrl));
    expect(run).toMatchObject({ exitCode: 1, stdout: "" });
    expect(JSON.parse(run.stderr)).toMatchObject({ error: { code: "internal", status: 500, request_id: "req-1" } });
  });
});

describe("2, wrong usage or rejected input", () => {
  const wrong: readonly (readonly [string, readonly string[], RegExp])[] = [
    ["no command", [], /A command is missing\./],
    ["a group without a verb", ["websites"], /A command is missing\./],
    ["an unknown command", ["websites", "lst"], /^Unknown command 'lst'\. Did you mean list\?$/],
    ["an unknown flag", ["websites", "list", "--seach", "x"], /^Unknown option '--seach'\. Did you mean --search\?$/],
    ["a command of another tool", ["whoami"], /^Unknown command 'whoami'\. Use `siteward account`\.$/],
    ["a verb without its group", ["list"], /^Unknown command 'list'\. Use `siteward websites list`\.$/],
    ["a verb of another tool", ["websites", "rm", "7"], /^Unknown command 'rm'\. Use `siteward websites delete`\.$/],
    ["a domain in the place of a command", ["websites", "example.com"], /use `siteward websites get example\.com`\.$/],
    ["the name of a property", ["constructor"], /^Unknown command 'constructor'\.$/],
    ["a flag of another tool", ["account", "--host", "x"], /^Unknown option '--host'\. Use --base-url\.$/],
    [
      "the key of a login as an argument",
      ["login", keys.full],
      /^Too many .*: swk_…\. Pass the API key with --api-key-stdin/,
    ],
    ["a value that may be a secret", ["account", "--secret=hunter2\n'x"], /^Unknown option '--secret'\.$/],
    [
      "neither an ID nor a domain",
      ["websites", "get", "abc"],
      /"abc" is not the ID or domain.*such as "example\.com"\./,
    ],
    ["an ID of zero", ["websites", "get", "0"], /whole number, 1 or higher/],
    ["a missing shell", ["completion"], /^Missing shell\. Use bash, zsh, fish or powershell\.$/],
    ["an unknown shell", ["completion", "tcsh"], /^"tcsh" is not a known shell\. Use bash, zsh, fish or powershell\.$/],
    ["a missing website", ["websites", "get"], /Missing required argument 'website'\./],
    ["one argument too many", ["websites", "get", "1", "2"], /Too many arguments/],
    ["an unsupported page size", ["websites", "list", "--per-page", "11"], /10, 25, 50, 100/],
    ["an unknown field", ["websites", "list", "--fields", "id,name"], /Unknown field "name".*id, domain, privacy/],
    ["an empty list of fields", ["websites", "list", "--fields", ","], /contains no field name/],
    ["an unknown format", ["account", "--output", "xml"], /table, json, ndjson, csv, yaml/],
    ["--page with --all", ["websites", "list", "--all", "--page", "2"], /--page shows one page/],
    ["--page with --cursor", ["websites", "list", "--cursor", "c", "--page", "2"], /cannot be combined/],
    ["an update without a setting", ["websites", "update", "1"], /Nothing to change/],
    ["a create without a domain", ["websites", "create"], /domain is missing/],
    ["domains in two ways", ["websites", "create", "a.example", "--domain", "b.example"], /all of them as arguments/],
    [
      "several domains of which some are none",
      ["websites", "create", "a.example", "b", "c/d", "e.example"],
      /^Nothing was created: 2 of 4 domains are not valid\.\n {2}"b" is a single label;.*\n {2}"c\/d" contains a path;/,
    ],
    ["standard input as a domain", ["websites", "create", "-"], /use `siteward import -`\.$/],
    [
      "an idempotency key for two websites",
      ["websites", "create", "a.example", "b.example", "--idempotency-key", "a"],
      /belongs to one website/,
    ],
    [
      "a new domain for a website",
      ["websites", "update", "3", "--domain", "b.example"],
      /^The domain of a website cannot be changed\.$/,
    ],
    ["a delete without confirmation", ["websites", "delete", "1"], /--yes/],
    [
      "a missing password that cannot be prompted for",
      ["websites", "create", "a.example", "--privacy", "2"],
      /--password-stdin/,
    ],
    ["two secrets from one stream", ["websites", "update", "1", "--password-stdin", "--api-key-stdin"], /cannot both/],
    ["a site file and the key from one stream", ["apply", "-", "--yes", "--api-key-stdin"], /cannot both read/],
    ["the key as an argument", ["account", "--api-key", keys.full], /Unknown option '--api-key'.*--api-key-stdin/],
    [
      "a password as an argument, which is not repeated",
      ["websites", "update", "1", "--password=secret"],
      /^Unknown option '--password'\. Pass the password with --password-stdin\.$/,
    ],
    [
      "an idempotency key with a space",
      ["websites", "create", "a.example", "--idempotency-key", "a b"],
      /1 to 255 visible ASCII characters/,
    ],
    [
      "a list of entity tags",
      ["websites", "update", "1", "--email", "on", "--if-match", '"1-1", "1-2"'],
      /one entity tag/,
    ],
    ["an entity tag for two websites", ["websites", "delete", "1", "2", "--yes", "--if-match", "1-1"], /one website/],
    ["the entity tag as a field without --etag", ["websites", "get", "1", "--fields", "etag"], /Unknown field "etag"/],
    ["an invalid base URL", ["account", "--base-url", "example"], /not a valid base URL/],
    ["an invalid profile name", ["account", "--profile", "../x"], /not a valid profile name/],
  ];

  test.each(wrong)("%s", async (_name, args, message) => {
    const run = await runCli(args, as(keys.full, "http://127.0.0.1:9"));
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(JSON.parse(run.stderr).error.message).toMatch(message);
    expect(run.stderr, "no message repeats a key").not.toContain(keys.full);
  });

  test("a field that the service rejects, with its messages", async () => {
    await using service = await startFakeService();
    const run = await runCli(["websites", "create", "example.com/path"], as(keys.full, service.baseUrl));
    expect(run.exitCode).toBe(2);
    expect(JSON.parse(run.stderr).error).toMatchObject({
      code: "validation_failed",
      errors: { domain: ['has a path; send "example.com"'] },
    });
  });
});

test("on text output, what is wrong with a field is printed once, even if the detail repeats it", async () => {
  await using service = await startFakeService();
  const errors = { domain: ["is empty; send one"], privacy: ["is 3; send 0, 1 or 2"] };
  const detail = "Refused: domain is empty; send one; privacy is 3; send 0, 1 or 2.";
  service.answerNext({
    problem: { status: 422, code: "validation_failed", title: "Validation failed", detail, errors },
  });
  const run = await runCli(["websites", "create", "", "-o", "table"], as(keys.full, service.baseUrl));
  expect(run.stderr).toBe(
    "Error: Validation failed\n  domain is empty; send one\n  privacy is 3; send 0, 1 or 2\nRequest ID: req-1\n",
  );
});

describe("3, not found", () => {
  test.each([["get"], ["update", "--email", "on"], ["delete", "--yes"]])("%s", async (verb, ...flags) => {
    await using service = await startFakeService();
    const run = await runCli(["websites", verb, "7", ...flags], as(keys.full, service.baseUrl));
    expect(run).toMatchObject({ exitCode: 3, stdout: "" });
    expect(JSON.parse(run.stderr)).toMatchObject({ error: { code: "not_found", status: 404 } });
  });
});

describe("4, not authenticated or not allowed", () => {
  test("no key", async () => {
    const run = await runCli(["account"]);
    expect(run.exitCode).toBe(4);
    expect(JSON.parse(run.stderr).error.next).toMatch(/siteward login/);
  });

  test("a mistyped key, and no request is sent", async () => {
    await using service = await startFakeService();
    const run = await runCli(["account"], as(keys.full.replace("3Ae0", "3Ae1"), service.baseUrl));
    expect(run.exitCode).toBe(4);
    expect(service.requests).toEqual([]);
  });

  test("a revoked key", async () => {
    await using service = await startFakeService();
    const run = await runCli(["account"], as(keys.revoked, service.baseUrl));
    expect(run.exitCode).toBe(4);
    expect(JSON.parse(run.stderr).error.code).toBe("unauthenticated");
  });

  test("a key without the scope", async () => {
    await using service = await startFakeService();
    const run = await runCli(["account"], as(keys.withoutAccountScope, service.baseUrl));
    expect(run.exitCode).toBe(4);
    expect(JSON.parse(run.stderr).error.code).toBe("insufficient_scope");
  });

  test("an account that reached its limit", async () => {
    await using service = await startFakeService();
    service.answerNext({ problem: { status: 403, code: "website_limit_reached", limit: 5 } });
    const run = await runCli(["websites", "create", "example.com"], as(keys.full, service.baseUrl));
    expect(run.exitCode).toBe(4);
  });
});

describe("5, conflict", () => {
  test("a domain that is taken, with the commands that show and change the website that has it", async () => {
    await using service = await startFakeService(["example.com"]);
    const run = await runCli(["websites", "create", "example.com"], as(keys.full, service.baseUrl));
    expect(run.exitCode).toBe(5);
    expect(JSON.parse(run.stderr).error).toMatchObject({
      code: "domain_taken",
      next:
        "Show the website that has this domain with `siteward websites get 1`, " +
        "or change its settings with `siteward websites update 1`.",
    });
  });

  test("a website that was changed, with the command that gets its entity tag and the flag that takes it", async () => {
    await using served = await serveFake({ websites: [{ domain: "example.com" }] });
    const run = await runCli(["websites", "update", "example.com", "--email", "on", "--if-match", "1-99"], served);
    expect(run.exitCode).toBe(5);
    expect(JSON.parse(run.stderr).error).toMatchObject({
      code: "precondition_failed",
      message: expect.stringMatching(/^The record has changed: .* with this entity tag in --if-match\.$/),
      next: "Get the website again with `siteward websites get 1 --etag`, then repeat the change.",
    });
  });
});

describe("6, rate limited", () => {
  test("fails at once and says how long to wait", async () => {
    await using service = await startFakeService();
    service.answerNext({ problem: { status: 429, code: "rate_limited" }, headers: { "retry-after": "30" } });
    const run = await runCli(["websites", "list"], as(keys.full, service.baseUrl));
    expect(run.exitCode).toBe(6);
    expect(JSON.parse(run.stderr).error.next).toMatch(/30 s/);
    expect(service.requests).toHaveLength(1);
  });

  test("says when the account may change something again, and not in how many seconds", async () => {
    await using service = await startFakeService();
    const detail = "Retry the change after 2027-01-31T00:00:00Z.";
    service.answerNext({
      problem: { status: 429, code: "change_limit_reached", detail },
      headers: { "retry-after": "61" },
    });
    const run = await runCli(["websites", "create", "a.example"], as(keys.full, service.baseUrl));
    expect(run.exitCode).toBe(6);
    const { error } = JSON.parse(run.stderr);
    expect([error.code, error.message, error.next]).toEqual(["change_limit_reached", detail, undefined]);
    expect(service.requests).toHaveLength(1);
  });

  test("with --all, waits and continues instead", async () => {
    await using service = await startFakeService(["example.com"]);
    service.answerNext({ problem: { status: 429, code: "rate_limited" }, headers: { "retry-after": "0" } });
    const run = await runCli(["websites", "list", "--all", "--fields", "id"], as(keys.full, service.baseUrl));
    expect(run.exitCode).toBe(0);
    expect(JSON.parse(run.stdout)).toEqual([{ id: 1 }]);
  });
});
