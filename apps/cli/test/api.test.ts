import { describe, expect } from "vitest";
import { test } from "./support/cli-test.ts";
import { errorOf, jsonOf } from "./support/run-cli.ts";

describe("siteward api", () => {
  test("sends a GET with the stored key and prints the JSON of the response as it came", async ({ cli }) => {
    await cli.add("a.example", "b.example");
    const run = await cli.run("api get websites?search=example&per_page=10&sort=asc");
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(jsonOf(run)).toMatchObject({ data: [{ id: 1, domain: "a.example" }, { id: 2 }], meta: { total: 2 } });
    const query = { search: "example", per_page: "10", sort: "asc" };
    expect(cli.fake.requests).toMatchObject([{ method: "GET", path: "/api/v1/websites", query }]);
  });

  test("sends fields with their types as a body", async ({ cli }) => {
    const fields = "-f domain=example.com -f privacy=1 -f exclude_ips=10.0.0.1 -f exclude_ips=10.0.0.2";
    const run = await cli.run(`api POST /api/v1/websites ${fields} --idempotency-key k`);
    expect(run.exitCode).toBe(0);
    expect(cli.fake.requests[0]).toMatchObject({
      headers: { "idempotency-key": "k" },
      body: { domain: "example.com", privacy: 1, exclude_ips: ["10.0.0.1", "10.0.0.2"] },
    });
  });

  test.for(["a file", "standard input"])("sends JSON from %s as the body", async (source, { cli, folder }) => {
    await cli.add("example.com");
    const body = '{"privacy":2,"password":"correct horse"}';
    const path = await folder.write("body.json", body);
    const [input, stdin] = source === "a file" ? [path, ""] : ["-", body];
    const run = await cli.run(["api", "PUT", "websites/1", "--input", input, "--if-match", "*"], { stdin });
    expect(run.exitCode).toBe(0);
    expect(cli.fake.requests[0]).toMatchObject({ headers: { "if-match": "*" }, body: JSON.parse(body) });
    expect(run.stdout + run.stderr).not.toContain("correct horse");
  });

  test("prints nothing if the response has no body", async ({ cli }) => {
    await cli.add("example.com");
    expect(await cli.run("api DELETE websites/1")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect(cli.fake.websites).toEqual([]);
  });

  test("prints one line with --output ndjson, and the status and headers with --include", async ({ cli }) => {
    await cli.add("example.com");
    const run = await cli.run("api GET websites/1 -i -o ndjson");
    expect(run.stdout).toMatch(/^HTTP 200\n(.+\n)*etag: "1-\S+"\n(.+\n)*\n\{"data":.+\}\n$/);
  });

  test("ends with the error and exit code of any command, after the response with --include", async ({ cli }) => {
    const plain = await cli.run("api GET websites/7");
    expect(plain).toMatchObject({ exitCode: 3, stdout: "" });
    expect(errorOf(plain)).toMatchObject({ code: "not_found", status: 404 });
    const included = await cli.run("api GET websites/7 --include");
    expect(errorOf(included)).toEqual({ ...errorOf(plain), request_id: expect.any(String) });
    expect(included.exitCode).toBe(3);
    expect(included.stdout).toMatch(/^HTTP 404\n(.+\n)*\n\{\n {2}"type"/);
  });

  test.for([
    ["an unknown method", "api PATCH websites", /Use GET, POST, PUT or DELETE\./],
    ["a body of a GET", "api GET websites -f search=a", /websites\?search=example/],
    ["two bodies", "api POST websites -f a=b --input -", /cannot be combined/],
    ["a field without a value", "api POST websites -f domain", /Pass name=value/],
    ["a password in an argument", "api PUT websites/1 -f password=correct", /--input/],
    ["a body that is not JSON", "api PUT websites/1 --input -", /--input is not valid JSON\./],
    ["a table", "api GET websites -o table", /prints JSON/],
    ["a choice of fields", "api GET websites --fields id", /Omit --fields/],
    ["an entity tag for a GET", "api GET websites/1 --if-match 1-1", /ifMatch is not an option/],
    ["nesting without an end", "api PUT websites/1 --input -", /--input is not valid JSON: it ends too early/, "["],
    ["more than a MiB", "api PUT websites/1 --input -", /input is larger than 1 MiB\. The service accepts/, " "],
  ] as const)("refuses %s, and sends nothing", async ([_name, words, message, repeated], { cli }) => {
    const stdin = repeated === undefined ? "correct horse" : repeated.repeat(1024 * 1024 + (repeated === " " ? 1 : 0));
    const run = await cli.run(words, { stdin });
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toMatch(message);
    expect(run.stderr).not.toContain("correct");
    expect(cli.fake.requests).toEqual([]);
  });
});
