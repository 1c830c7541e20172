import type { ErrorCode } from "@siteward/sdk";
import { describe, expect } from "vitest";
import { test } from "./support/cli-test.ts";
import { errorOf, jsonOf, runCli } from "./support/run-cli.ts";
import { unknownKey } from "./support/serve-fake.ts";

const nowhere = { SITEWARD_API_KEY: unknownKey, SITEWARD_BASE_URL: "http://127.0.0.1:9" };

test("every error of the service, and the page of a proxy, has the exit code that scripts rely on", async ({ cli }) => {
  const ofCodes = {
    ...{ internal: 1, unavailable: 1, method_not_allowed: 1, unsupported_media_type: 1 },
    ...{ malformed_request: 2, body_too_large: 2, validation_failed: 2 },
    not_found: 3,
    ...{ unauthenticated: 4, insufficient_scope: 4, website_limit_reached: 4 },
    ...{
      domain_taken: 5,
      idempotency_in_progress: 5,
      idempotency_key_reused: 5,
      precondition_failed: 5,
      cursor_expired: 5,
    },
    ...{ rate_limited: 6, change_limit_reached: 6 },
  } as const satisfies Record<ErrorCode, number>;
  const ofPages = { 401: 4, 403: 4, 404: 3, 409: 5, 412: 5, 422: 2, 429: 6, 502: 1 };
  for (const [code, exitCode] of Object.entries(ofCodes)) {
    // The names of an object are its keys.
    cli.fake.failNext({ code: code as ErrorCode });
    expect([code, (await cli.run("account")).exitCode]).toEqual([code, exitCode]);
  }
  for (const [status, exitCode] of Object.entries(ofPages)) {
    cli.fake.failNext({ status: Number(status) });
    expect([status, (await cli.run("account")).exitCode]).toEqual([status, exitCode]);
  }
});

describe("2, wrong usage or rejected input", () => {
  test.for([
    ["no command", "", /A command is missing\./],
    ["a group without a verb", "websites", /A command is missing\./],
    ["an unknown command", "websites lits", /^Unknown command 'lits'\. Did you mean list\?$/],
    ["an unknown flag", "websites list --seach x", /^Unknown option '--seach'\. Did you mean --search\?$/],
    ["the short form of other programs", "account --json", /^Unknown option '--json'\. Use --output json\.$/],
    ["an unknown command with --help", "foo --help", /^Unknown command 'foo'\.$/],
    ["the help of an unknown command", "help websites lits", /^Unknown command 'lits'\. Did you mean list\?$/],
    ["a domain in the place of a command", "websites example.com", /use `siteward websites get example\.com`\.$/],
    ["the name of a property", "constructor", /^Unknown command 'constructor'\.$/],
    ["the key of a login", `login ${unknownKey}`, /^Too many .*: swk_…\. Pass the API key with --api-key-stdin/],
    ["a value that may be a secret", "account --secret=hunter2\n'x", /^Unknown option '--secret'\.$/],
    ["neither an ID nor a domain", "websites get abc", /"abc" is not the ID or domain.*such as "example\.com"\./],
    ["an ID of zero", "websites get 0", /whole number, 1 or higher/],
    ["an unknown shell", "completion tcsh", /'tcsh' is invalid for argument 'shell'.* bash, zsh, fish, powershell\.$/],
    ["a missing website", "websites get", /Missing required argument 'website'\./],
    ["one argument too many", "websites get 1 2", /Too many arguments/],
    ["an unsupported page size", "websites list --per-page 11", /10, 25, 50, 100/],
    ["an unknown field", "websites list --fields id,name", /Unknown field "name".*id, domain, privacy/],
    ["an empty list of fields", "websites list --fields ,", /contains no field name/],
    ["the entity tag as a field without --etag", "websites get 1 --fields etag", /Unknown field "etag"/],
    ["an unknown format", "account --output xml", /table, json, ndjson, csv, yaml/],
    ["--page with --all", "websites list --all --page 2", /--page shows one page/],
    ["an update without a setting", "websites update 1", /Nothing to change/],
    ["a create without a domain", "websites create", /Missing required argument 'domain'/],
    [
      "several domains of which some are none",
      "websites create a.example b c/d e.example",
      /^Nothing was created: 2 of 4 domains are not valid\.\n {2}"b" is a single label;.*\n {2}"c\/d" contains a path;/,
    ],
    ["standard input as a domain", "websites create -", /use `siteward import -`\.$/],
    ["a key for two creates", "websites create a.example b.example --idempotency-key a", /belongs to one website/],
    ["a delete without confirmation", "websites delete 1", /--yes/],
    ["a password that cannot be prompted for", "websites create a.example --privacy 2", /--password-stdin/],
    ["two secrets from one stream", "websites update 1 --password-stdin --api-key-stdin", /cannot both/],
    ["a site file and the key from one stream", "apply - --yes --api-key-stdin", /cannot both read/],
    ["the key as an argument", `account --api-key ${unknownKey}`, /Unknown option '--api-key'.*--api-key-stdin/],
    [
      "a password as an argument, which is not repeated",
      "websites update 1 --password=secret",
      /^Unknown option '--password'\. Pass the password with --password-stdin\.$/,
    ],
    [
      "a list of entity tags",
      ["websites", "update", "1", "--email", "on", "--if-match", '"1-1", "1-2"'],
      /one entity tag/,
    ],
    ["an entity tag for two websites", "websites delete 1 2 --yes --if-match 1-1", /one website/],
    [
      "an idempotency key with a space",
      ["websites", "create", "a.example", "--idempotency-key", "a b"],
      /1 to 255 visible ASCII characters/,
    ],
    ["an invalid base URL", "account --base-url example", /base URL is not valid/],
    ["an invalid profile name", "account --profile ../x", /not a valid profile name/],
  ] as const)("%s", async ([_name, words, message]) => {
    const run = await runCli(words, { env: nowhere });
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(errorOf(run).message).toMatch(message);
    expect(run.stderr, "no message repeats a key").not.toContain(unknownKey);
  });

  test("a field that the service rejects, with its messages, which text prints once", async ({ cli }) => {
    const run = await cli.run("api POST websites -f domain=a.example/path -f privacy=3");
    expect(run.exitCode).toBe(2);
    const { errors } = errorOf(run);
    expect(Object.keys(errors)).toEqual(["domain", "privacy"]);
    const detail = "Refused: domain is empty; send one; privacy is 3; send 0, 1 or 2.";
    const fields = { domain: ["is empty; send one"], privacy: ["is 3; send 0, 1 or 2"] };
    cli.fake.failNext({ code: "validation_failed", problem: { detail, errors: fields } });
    const { stderr } = await cli.run("websites create a.example -o table");
    expect(stderr).toMatch(
      /^Error: .+\n {2}domain is empty; send one\n {2}privacy is 3; send 0, 1 or 2\nRequest ID: \S+\n$/,
    );
    expect(stderr).not.toContain("Refused");
  });
});

test.for(["get", "update --email on"])("3, not found: %s", async (words, { cli }) => {
  const [verb, ...flags] = words.split(" ");
  const run = await cli.run(`websites ${verb} 7 ${flags.join(" ")}`);
  expect(run).toMatchObject({ exitCode: 3, stdout: "" });
  expect(errorOf(run)).toMatchObject({
    code: "not_found",
    status: 404,
    next: "List your websites with `siteward websites list`.",
  });
});

test.for(["/api/v1/api/v1", "/elsewhere"])("3, not found: another service at the path %s", async (path, { cli }) => {
  const run = await cli.run(`account --base-url ${cli.url}${path}`);
  expect(run.exitCode).toBe(3);
  const next = expect.stringContaining("Check that the base URL belongs to a Siteward service");
  expect(errorOf(run)).toMatchObject({ code: "not_found", next });
  for (const same of ["/api/v1", "/api/v1/"]) {
    expect(await cli.run(`account --base-url ${cli.url}${same}`)).toMatchObject({ exitCode: 0, stderr: "" });
  }
});

describe("5, conflict", () => {
  test("a domain that is taken, with the commands that show and change the website that has it", async ({ cli }) => {
    await cli.add("example.com");
    const run = await cli.run("websites create example.com");
    expect(run.exitCode).toBe(5);
    expect(errorOf(run)).toMatchObject({
      code: "domain_taken",
      next:
        "Show the website that has this domain with `siteward websites get 1`, " +
        "or change its settings with `siteward websites update 1`.",
    });
    expect(errorOf(run), "it does not repeat the domain").not.toHaveProperty("failed");
  });

  test("a website that was changed, with the command that gets its entity tag, and the flag", async ({ cli }) => {
    await cli.add("example.com");
    const run = await cli.run("websites update example.com --email on --if-match 1-99");
    expect(run.exitCode).toBe(5);
    expect(errorOf(run)).toMatchObject({
      code: "precondition_failed",
      message: expect.stringMatching(/^The record has changed: .* with this entity tag in --if-match\.$/),
      next: "Get the website again with `siteward websites get 1 --etag`, then repeat the change.",
    });
  });
});

describe("6, rate limited", () => {
  test("fails at once and says how long to wait", async ({ cli }) => {
    cli.fake.failNext({ code: "rate_limited", headers: { "retry-after": "30" } });
    const run = await cli.run("websites list");
    expect(run.exitCode).toBe(6);
    expect(errorOf(run).next).toMatch(/30 s/);
    expect(cli.fake.requests).toHaveLength(1);
  });

  test("says when the account may change something again, and not in how many seconds", async ({ cli }) => {
    const detail = "Retry the change after 2027-01-31T00:00:00Z.";
    cli.fake.failNext({ code: "change_limit_reached", problem: { detail }, headers: { "retry-after": "61" } });
    const run = await cli.run("websites create a.example");
    expect(run.exitCode).toBe(6);
    const { code, message, next } = errorOf(run);
    expect([code, message, next]).toEqual(["change_limit_reached", detail, undefined]);
    expect(cli.fake.requests).toHaveLength(1);
  });

  test("with --all, waits and continues instead", async ({ cli }) => {
    await cli.add("example.com");
    cli.fake.failNext({ code: "rate_limited", headers: { "retry-after": "0" } });
    const run = await cli.run("websites list --all --fields id");
    expect(run.exitCode).toBe(0);
    expect(jsonOf(run)).toEqual([{ id: 1 }]);
  });
});
