import { describe, expect } from "vitest";
import { test as base } from "./support/cli-test.ts";
import { errorOf, jsonOf, warningsOf } from "./support/run-cli.ts";

const website = {
  domain: "example.com",
  exclude_params: ["utm_*", "ref"],
  exclude_ips: ["203.0.113.0/24", "2001:db8::1"],
};

const test = base.extend<{ readonly changesSent: () => readonly unknown[] }>({
  changesSent: async ({ cli }, use) => {
    await cli.other.websites.create(website);
    await use(() => cli.fake.requests.filter(({ method }) => method === "PUT").map(({ body }) => body));
  },
});

const update = "websites update example.com";

describe("--add-… and --remove-…", () => {
  test("change single entries, keep the others, and send only the lists that change", async ({ cli, changesSent }) => {
    const flags = "--add-exclude-params id,utm_* --add-exclude-params fbclid --remove-exclude-params ref";
    const run = await cli.run(`${update} ${flags} --email on`);
    expect(jsonOf(run)).toMatchObject({ exclude_params: ["utm_*", "id", "fbclid"], email: 1 });
    expect(changesSent()).toEqual([{ exclude_params: ["utm_*", "id", "fbclid"], email: 1 }]);
  });

  test("send nothing without a change, and warn of entries that are not there", async ({ cli, changesSent }) => {
    const run = await cli.run(`${update} --add-exclude-params ref --remove-exclude-ips 203.0.113.7,192.0.2.1`);
    expect(run.exitCode).toBe(0);
    expect(jsonOf(run)).toEqual(cli.fake.websites[0]);
    expect(warningsOf(run)).toEqual([
      "exclude_ips does not contain 203.0.113.7.",
      "exclude_ips does not contain 192.0.2.1.",
    ]);
    expect(changesSent()).toEqual([]);
  });

  test("send nothing if a script has no entry for them", async ({ cli, changesSent }) => {
    const run = await cli.run(["websites", "update", "1", "--add-exclude-ips", ""]);
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(changesSent()).toEqual([]);
  });

  test.for([
    ["--add-exclude-ips 1.2.3,::1,x", /^--add-exclude-ips: "1\.2\.3" is not an IPv4 address.*; "x" is not/],
    ["--remove-exclude-params a=b", /^--remove-exclude-params: "a=b" contains/],
    [
      "--add-exclude-params a,b --remove-exclude-params b",
      /^Entries of exclude_params cannot be both added and removed: b\.$/,
    ],
    [
      "--add-exclude-ips ::1 --exclude-ips ::2",
      /'--add-exclude-ips <addresses>' cannot be used with option '--exclude-ips/,
    ],
    ["--remove-exclude-params a --exclude-params b", /cannot be used with option '--exclude-params/],
  ] as const)("refuse %s before anything is sent", async ([flags, message], { cli }) => {
    const run = await cli.run(`${update} ${flags}`);
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(errorOf(run).message).toMatch(message);
    expect(cli.fake.requests).toEqual([]);
  });
});

describe("if somebody else changes the website at the same time", () => {
  test("both changes are kept", async ({ cli, changesSent }) => {
    cli.fake.failNext({ delayMs: 200, method: "PUT" });
    const running = cli.run(`${update} --add-exclude-params id`);
    while (changesSent().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await cli.other.websites.update(1, { exclude_params: ["fbclid", "ref"], email: 1 });
    expect(jsonOf(await running)).toMatchObject({ exclude_params: ["fbclid", "ref", "id"], email: 1 });
    expect(changesSent()).toHaveLength(2);
  });

  test("the update fails if the user chose a version, also without a change", async ({ cli, changesSent }) => {
    expect((await cli.run(`${update} --add-exclude-params id --if-match 1-99`)).exitCode).toBe(5);
    expect(changesSent()).toHaveLength(1);
    expect((await cli.run(`${update} --add-exclude-params ref --if-match 1-99`)).exitCode).toBe(5);
  });

  test("the update gives up after 20 attempts", async ({ cli, changesSent }) => {
    cli.fake.failNext({ code: "precondition_failed", method: "PUT", times: Number.POSITIVE_INFINITY });
    expect((await cli.run(`${update} --add-exclude-params id`)).exitCode).toBe(5);
    expect(changesSent()).toHaveLength(20);
  });
});
