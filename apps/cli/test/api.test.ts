import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { keys, startFakeService } from "./support/fake-service.ts";
import { runCli } from "./support/run-cli.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

function as(baseUrl: string) {
  return { env: { SITEWARD_API_KEY: keys.full, SITEWARD_BASE_URL: baseUrl } };
}

describe("siteward api", () => {
  test("sends a GET with the stored key and prints the JSON of the response as it came", async () => {
    await using service = await startFakeService(["a.example", "b.example"]);
    const args = ["api", "get", "websites?search=example", "-q", "per_page=1", "--query", "page=2"];
    const run = await runCli(args, as(service.baseUrl));
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(run.stdout)).toMatchObject({ data: [{ domain: "b.example" }], meta: { total: 2 } });
    const { method, path, query } = service.requests[0] ?? {};
    expect([method, path, String(query)]).toEqual(["GET", "/api/v1/websites", "search=example&per_page=1&page=2"]);
  });

  test("sends fields with their types as a body", async () => {
    await using service = await startFakeService();
    const fields = [
      "-f",
      "domain=example.com",
      "-f",
      "privacy=1",
      "-f",
      "exclude_ips=10.0.0.1",
      "-f",
      "exclude_ips=10.0.0.2",
    ];
    const run = await runCli(
      ["api", "POST", "/api/v1/websites", ...fields, "--idempotency-key", "k"],
      as(service.baseUrl),
    );
    expect(run.exitCode).toBe(0);
    expect(service.requests[0]).toMatchObject({
      idempotencyKey: "k",
      body: { domain: "example.com", privacy: 1, exclude_ips: ["10.0.0.1", "10.0.0.2"] },
    });
  });

  test.each(["a file", "standard input"])("sends JSON from %s as the body", async (source) => {
    await using service = await startFakeService(["example.com"]);
    await using folder = await createTemporaryFolder();
    const body = '{"privacy":2,"password":"correct horse"}';
    const path = join(folder.path, "body.json");
    await writeFile(path, body);
    const args = ["api", "PUT", "websites/1", "--input", source === "a file" ? path : "-", "--if-match", "1-1"];
    const run = await runCli(args, { ...as(service.baseUrl), stdin: source === "a file" ? "" : body });
    expect(run.exitCode).toBe(0);
    expect(service.requests[0]).toMatchObject({ ifMatch: '"1-1"', body: JSON.parse(body) });
    expect(run.stdout + run.stderr).not.toContain("correct horse");
  });

  test("prints nothing if the response has no body", async () => {
    await using service = await startFakeService(["example.com"]);
    const run = await runCli(["api", "DELETE", "websites/1"], as(service.baseUrl));
    expect(run).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect(service.websites.size).toBe(0);
  });

  test("prints one line with --output ndjson, and the status and headers with --include", async () => {
    await using service = await startFakeService(["example.com"]);
    const run = await runCli(["api", "GET", "websites/1", "-i", "-o", "ndjson"], as(service.baseUrl));
    expect(run.stdout).toMatch(/^HTTP 200\n(.+\n)*etag: "1-1"\n(.+\n)*\n\{"data":.+\}\n$/);
  });

  test("ends with the error and exit code of any command, after the response with --include", async () => {
    await using service = await startFakeService();
    const plain = await runCli(["api", "GET", "websites/7"], as(service.baseUrl));
    expect(plain).toMatchObject({ exitCode: 3, stdout: "" });
    expect(JSON.parse(plain.stderr)).toMatchObject({ error: { code: "not_found", status: 404 } });
    const included = await runCli(["api", "GET", "websites/7", "--include"], as(service.baseUrl));
    expect(included).toMatchObject({ exitCode: 3, stderr: plain.stderr });
    expect(included.stdout).toMatch(/^HTTP 404\n(.+\n)*\n\{\n {2}"type"/);
  });

  test.each([
    ["an unknown method", ["api", "PATCH", "websites"], /Use GET, POST, PUT or DELETE\./],
    ["another service", ["api", "GET", "https://evil.example/"], /must not contain the address of a service/],
    ["a path out of the service", ["api", "GET", "/../secrets"], /is not a path/],
    ["a body of a GET", ["api", "GET", "websites", "-f", "search=a"], /--query/],
    ["two bodies", ["api", "POST", "websites", "-f", "a=b", "--input", "-"], /cannot be combined/],
    ["a field without a value", ["api", "POST", "websites", "-f", "domain"], /Pass name=value/],
    ["a password in an argument", ["api", "PUT", "websites/1", "-f", "password=correct horse"], /--input/],
    [
      "a body that is not JSON",
      ["api", "PUT", "websites/1", "--input", "-"],
      /--input is not valid JSON \(line 1 column 1\)\./,
    ],
    ["a table", ["api", "GET", "websites", "-o", "table"], /prints JSON/],
    ["a choice of fields", ["api", "GET", "websites", "--fields", "id"], /Omit --fields/],
    ["an entity tag for a GET", ["api", "GET", "websites/1", "--if-match", "1-1"], /ifMatch is not an option/],
  ])("refuses %s, and sends nothing", async (_name, args, message) => {
    await using service = await startFakeService();
    const run = await runCli(args, {
      ...as(service.baseUrl),
      stdin: "correct horse",
    });
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toMatch(message);
    expect(run.stderr).not.toContain("correct horse");
    expect(service.requests).toEqual([]);
  });

  test.each([
    [
      "a body that is nested without an end",
      `[${"[".repeat(100_000)}`,
      /--input has arrays or objects that are nested more/,
    ],
    [
      "a body of more than a MiB",
      " ".repeat(1024 * 1024 + 1),
      /Standard input is larger than 1 MiB\. The service accepts/,
    ],
  ])("refuses %s, and sends nothing", async (_name, stdin, message) => {
    await using service = await startFakeService();
    const run = await runCli(["api", "PUT", "websites/1", "--input", "-"], { ...as(service.baseUrl), stdin });
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toMatch(message);
    expect(service.requests).toEqual([]);
  });
});
