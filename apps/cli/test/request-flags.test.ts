import { describe, expect } from "vitest";
import { test } from "./support/cli-test.ts";
import { errorOf, runCli, warningsOf } from "./support/run-cli.ts";
import { serve, unknownKey } from "./support/serve-fake.ts";

describe("--timeout", () => {
  test("ends a request that takes longer, and the error says how to allow more", async ({ cli }) => {
    cli.fake.failNext({ delayMs: Infinity });
    const run = await cli.run("account --timeout 0.5");
    expect(run.exitCode).toBe(1);
    expect(errorOf(run)).toMatchObject({
      code: "timeout",
      message: expect.stringContaining("500 ms"),
      next: expect.stringContaining("--timeout"),
    });
  });
});

describe("--retries", () => {
  test.for([
    ["account", 1, 1],
    ["account --retries 0", 1, 1],
    ["account --retries 1", 1, 2],
    ["account --retries 2", 0, 3],
    ["websites list --all --retries 0", 1, 1],
  ] as const)(
    "%s ends with %i after %i requests, of which the third succeeds",
    async ([words, exitCode, count], { cli }) => {
      cli.fake.failNext({ code: "unavailable", times: 2 });
      expect((await cli.run(words)).exitCode).toBe(exitCode);
      expect(cli.fake.requests).toHaveLength(count);
    },
  );
});

test.for([
  ["--timeout", "Use a number of seconds from 0.001 to 3600.", ["0", "-1", "1e3", "ten", "3601", "0.0001", ""]],
  ["--retries", "Use a whole number from 0 to 100.", ["-1", "1.5", "many", "101"]],
] as const)("%s out of its range is refused: %s", async ([flag, message, values]) => {
  for (const value of values) {
    const run = await runCli(`account ${flag}=${value}`);
    expect([value, run.exitCode, errorOf(run).message]).toEqual([value, 2, expect.stringContaining(message)]);
  }
});

describe("--verbose", () => {
  test("prints each request and response as text, without a secret", async ({ cli }) => {
    const words = "websites create example.com --privacy password --password-stdin --verbose --output csv";
    const run = await cli.run(words, { stdin: "correct horse" });
    expect(run.exitCode).toBe(0);
    const lines = run.stderr.trimEnd().split("\n");
    expect(lines[0]).toBe(`> POST ${cli.url}/api/v1/websites`);
    expect(lines).toContain("> authorization: [hidden]");
    expect(lines).toContainEqual(expect.stringMatching(/^> idempotency-key: \S+$/));
    expect(lines).toContainEqual(expect.stringMatching(/^< x-request-id: \S+$/));
    expect(lines).toContainEqual(expect.stringMatching(/^< content-type: application\/json/));
    for (const secret of [cli.fake.apiKey, "correct horse"]) expect(run.stderr).not.toContain(secret);
  });

  test("says why there is no response, and when it retries", async ({ cli }) => {
    cli.fake.failNext({ networkError: true, times: 2 });
    const run = await cli.run("account --verbose --retries 1 -o table");
    expect(run.exitCode).toBe(1);
    expect(run.stderr.split("\n").filter((line) => /^(> GET|< )/.test(line))).toEqual([
      `> GET ${cli.url}/api/v1/account`,
      expect.stringMatching(/^< No response after \d+ ms: socket hang up$/),
      expect.stringMatching(/^< Retrying in \d+ ms after connection_failed$/),
      `> GET ${cli.url}/api/v1/account`,
      expect.stringMatching(/^< No response after \d+ ms: socket hang up$/),
    ]);
  });

  test("hides cookies, an echoed key, and control characters", async () => {
    await using served = await serve((request, response) => {
      response.setHeader("set-cookie", "session=secret");
      response.setHeader("x-echo", `${request.headers.authorization} \u009b2J`);
      response.end('{"data":{}}');
    });
    const run = await runCli("account --verbose -o yaml", served);
    expect(run.stderr).toContain("< set-cookie: [hidden]\n");
    expect(run.stderr).toMatch(/^< x-echo: Bearer \[API key\]/m);
    for (const secret of [unknownKey, "secret", "\u009b"]) expect(run.stderr).not.toContain(secret);
  });
});

describe("a key that is sent without encryption", () => {
  const env = { SITEWARD_API_KEY: unknownKey, SITEWARD_BASE_URL: "http://siteward.invalid" };

  test.for(["account", "websites list", "websites delete 7 --yes"])(
    "gets a warning before the request of `siteward %s`",
    async (words) => {
      const run = await runCli(words, { env });
      expect(warningsOf(run)).toEqual([expect.stringContaining("http://siteward.invalid does not use HTTPS.")]);
      expect(errorOf(run).code).toBe("connection_failed");
    },
  );

  test.for([
    ["with SITEWARD_ALLOW_HTTP=1", { SITEWARD_ALLOW_HTTP: "1" }],
    ["with HTTPS", { SITEWARD_BASE_URL: "https://siteward.invalid" }],
    ["to this machine", { SITEWARD_BASE_URL: "http://localhost:9" }],
  ] as const)("gets none %s", async ([_name, more]) => {
    const run = await runCli("account", { env: { ...env, ...more } });
    expect(run.exitCode).toBe(1);
    expect(run.stderr).not.toContain("warning");
  });
});

describe("a service that takes long to answer", () => {
  test("is shown on a terminal, and the line is erased before the result", async ({ cli }) => {
    cli.fake.failNext({ delayMs: 1500 });
    const { raw, text, exitCode } = await cli.open("account --no-color").finish();
    expect(exitCode).toBe(0);
    expect(raw).toContain(`Waiting for ${new URL(cli.url).host}`);
    expect(text).not.toContain("Waiting");
    expect(text).toContain("Test account");
  });

  test("is not shown in a pipe", async ({ cli }) => {
    cli.fake.failNext({ delayMs: 1200 });
    expect(await cli.run("account")).toMatchObject({ exitCode: 0, stderr: "" });
  });
});
