import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { keys, startFakeService } from "./support/fake-service.ts";
import { openTerminal } from "./support/open-terminal.ts";
import { runCli } from "./support/run-cli.ts";

const unavailable = { problem: { status: 503, code: "unavailable" } };

function as(baseUrl: string) {
  return { env: { SITEWARD_API_KEY: keys.full, SITEWARD_BASE_URL: baseUrl } };
}

/** A service of the test's own on loopback. */
async function serve(listener: RequestListener) {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // The address of a server that listens on a port has one. Node's type also covers pipes.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

describe("--timeout", () => {
  test("ends a request that takes longer, and the error says how to allow more", async () => {
    await using service = await startFakeService();
    service.answerNext("none");
    const run = await runCli(["account", "--timeout", "0.5"], as(service.baseUrl));
    expect(run.exitCode).toBe(1);
    expect(JSON.parse(run.stderr).error).toMatchObject({
      code: "timeout",
      message: expect.stringContaining("500 ms"),
      next: expect.stringContaining("--timeout"),
    });
  });

  test.each(["0", "-1", "1e3", "ten", "3601", "0.0001", ""])("refuses %j", async (value) => {
    const run = await runCli(["account", `--timeout=${value}`]);
    expect(run.exitCode).toBe(2);
    expect(JSON.parse(run.stderr).error.message).toContain("Use a number of seconds from 0.001 to 3600.");
  });
});

describe("--retries", () => {
  test.each([
    [[], 1, 1],
    [["--retries", "0"], 1, 1],
    [["--retries", "1"], 1, 2],
    [["--retries", "2"], 0, 3],
  ] as const)("%j: exit code %i after %i requests, of which the third succeeds", async (flags, exitCode, count) => {
    await using service = await startFakeService();
    service.answerNext(unavailable, unavailable);
    expect((await runCli(["account", ...flags], as(service.baseUrl))).exitCode).toBe(exitCode);
    expect(service.requests).toHaveLength(count);
  });

  test("replaces the retries of --all", async () => {
    await using service = await startFakeService();
    service.answerNext(unavailable);
    const run = await runCli(["websites", "list", "--all", "--retries", "0"], as(service.baseUrl));
    expect(run.exitCode).toBe(1);
    expect(service.requests).toHaveLength(1);
  });

  test.each(["-1", "1.5", "many", "101"])("refuses %j", async (value) => {
    const run = await runCli(["account", `--retries=${value}`]);
    expect(run.exitCode).toBe(2);
    expect(JSON.parse(run.stderr).error.message).toContain("Use a whole number from 0 to 100.");
  });
});

describe("--verbose", () => {
  const args = ["websites", "create", "example.com", "--privacy", "password", "--password-stdin", "--verbose"];
  const password = "correct horse";

  test("prints each request and response as text, without a secret", async () => {
    await using service = await startFakeService();
    const run = await runCli([...args, "--output", "csv"], { ...as(service.baseUrl), stdin: password });
    expect(run.exitCode).toBe(0);
    const lines = run.stderr.trimEnd().split("\n");
    expect(lines[0]).toBe(`> POST ${service.baseUrl}/api/v1/websites`);
    expect(lines).toContain("> authorization: [hidden]");
    expect(lines).toContainEqual(expect.stringMatching(/^> idempotency-key: \S+$/));
    expect(lines).toContainEqual(expect.stringMatching(/^< 201 after \d+ ms$/));
    expect(lines).toContain("< content-type: application/json");
    for (const secret of [keys.full, password]) expect(run.stderr).not.toContain(secret);
  });

  test("prints them as one line of JSON each if errors are JSON", async () => {
    await using service = await startFakeService();
    service.answerNext({ problem: { status: 404, code: "not_found" } });
    const run = await runCli(["websites", "get", "7", "--verbose"], as(service.baseUrl));
    const [request, response, error] = run.stderr
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const url = `${service.baseUrl}/api/v1/websites/7`;
    expect(request).toMatchObject({ request: { method: "GET", url, headers: { authorization: "[hidden]" } } });
    expect(response).toMatchObject({
      response: {
        status: 404,
        duration_ms: expect.any(Number),
        request_id: "req-1",
        headers: { "x-request-id": "req-1" },
      },
    });
    expect(error).toMatchObject({ error: { code: "not_found" } });
  });

  test("says why there is no response, and when it retries", async () => {
    await using service = await serve((_request, response) => response.destroy());
    const run = await runCli(["account", "--verbose", "--retries", "1", "-o", "table"], as(service.baseUrl));
    expect(run.exitCode).toBe(1);
    const events = run.stderr.split("\n").filter((line) => /^(> GET|< )/.test(line));
    expect(events).toEqual([
      `> GET ${service.baseUrl}/api/v1/account`,
      expect.stringMatching(/^< No response after \d+ ms: socket hang up$/),
      expect.stringMatching(/^< Retrying in \d+ ms after connection_failed$/),
      `> GET ${service.baseUrl}/api/v1/account`,
      expect.stringMatching(/^< No response after \d+ ms: socket hang up$/),
    ]);
  });

  test("hides cookies, an echoed key, and control characters", async () => {
    await using service = await serve((request, response) => {
      response.setHeader("set-cookie", "session=secret");
      response.setHeader("x-echo", `${request.headers.authorization} \u009b2J`);
      response.end('{"data":{}}');
    });
    const run = await runCli(["account", "--verbose", "-o", "yaml"], as(service.baseUrl));
    expect(run.stderr).toContain("< set-cookie: [hidden]\n");
    expect(run.stderr).toMatch(/^< x-echo: Bearer \[API key\]/m);
    for (const secret of [keys.full, "secret", "\u009b"]) expect(run.stderr).not.toContain(secret);
  });
});

describe("a key that is sent without encryption", () => {
  const elsewhere = "http://siteward.invalid";

  test("gets a warning before the request, whatever the command is", async () => {
    for (const args of [["account"], ["websites", "list"], ["websites", "delete", "7", "--yes"]]) {
      const run = await runCli(args, as(elsewhere));
      const [warning, error] = run.stderr
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      expect(warning).toMatchObject({
        warning: { message: expect.stringContaining(`${elsewhere} does not use HTTPS.`) },
      });
      expect(error).toMatchObject({ error: { code: "connection_failed" } });
    }
  });

  test.each([
    ["with SITEWARD_ALLOW_HTTP=1", elsewhere, { SITEWARD_ALLOW_HTTP: "1" }],
    ["with HTTPS", "https://siteward.invalid", {}],
    ["to this machine", "http://localhost:9", {}],
  ])("gets none %s", async (_name, baseUrl, env) => {
    const run = await runCli(["account"], { env: { ...as(baseUrl).env, ...env } });
    expect(run.exitCode).toBe(1);
    expect(run.stderr).not.toContain("warning");
  });
});

describe("a service that takes long to answer", () => {
  test("is shown on a terminal, and the line is erased before the result", async () => {
    await using service = await serve((_request, response) => {
      setTimeout(() => response.end('{"data":{"id":1,"name":"Ada"}}'), 2000);
    });
    using terminal = openTerminal(["account", "--no-color"], as(service.baseUrl));
    await terminal.waitFor(`Waiting for ${new URL(service.baseUrl).host}`);
    expect(await terminal.exitCode).toBe(0);
    const [erased, result] = terminal.raw().split("Waiting").at(-1)?.split("\r\u001b[K").slice(-2) ?? [];
    expect(erased, "a line of progress").toContain("\r");
    expect(result).toContain("Ada");
  });

  test("is shown between the attempts, too", async () => {
    await using service = await serve((_request, response) => {
      response.writeHead(429, { "retry-after": "3", "content-type": "application/problem+json" });
      response.end('{"code":"rate_limited","status":429,"title":"Rate limited","detail":"Too many requests."}');
    });
    using terminal = openTerminal(["account", "--retries", "1"], as(service.baseUrl));
    await terminal.waitFor("to retry in");
    terminal.type("\u0003");
    expect(await terminal.exitCode).toBe(130);
  });

  test("is not shown in a pipe", async () => {
    await using service = await serve((_request, response) => {
      setTimeout(() => response.end('{"data":{}}'), 1500);
    });
    expect(await runCli(["account"], as(service.baseUrl))).toMatchObject({ exitCode: 0, stderr: "" });
  });
});
