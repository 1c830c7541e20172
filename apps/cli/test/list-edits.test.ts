import { describe, expect, test } from "vitest";
import { openTerminal } from "./support/open-terminal.ts";
import { runCli } from "./support/run-cli.ts";
import { type ServedFake, serveFake } from "./support/serve-fake.ts";

const website = {
  domain: "example.com",
  exclude_params: ["utm_*", "ref"],
  exclude_ips: ["203.0.113.0/24", "2001:db8::1"],
};

function update(served: ServedFake, ...flags: readonly string[]) {
  return runCli(["websites", "update", "example.com", ...flags], served);
}

function changesSent({ fake }: ServedFake): readonly unknown[] {
  return fake.requests.filter(({ method }) => method === "PUT").map(({ body }) => body);
}

describe("--add-… and --remove-…", () => {
  test("change single entries, keep the others, and send only the lists that change", async () => {
    await using served = await serveFake({ websites: [website] });
    const flags = [
      "--add-exclude-params",
      "id,utm_*",
      "--add-exclude-params",
      "fbclid",
      "--remove-exclude-params",
      "ref",
    ];
    const run = await update(served, ...flags, "--email", "on");
    expect(JSON.parse(run.stdout)).toMatchObject({ exclude_params: ["utm_*", "id", "fbclid"], email: 1 });
    expect(changesSent(served)).toEqual([{ exclude_params: ["utm_*", "id", "fbclid"], email: 1 }]);
  });

  test("compare entries in canonical form", async () => {
    await using served = await serveFake({ websites: [website] });
    const flags = ["--remove-exclude-ips", "203.0.113.9/24", "--add-exclude-ips", "2001:DB8:0::1,198.51.100.7/32"];
    const run = await update(served, ...flags);
    expect(JSON.parse(run.stdout).exclude_ips).toEqual(["2001:db8::1", "198.51.100.7"]);
  });

  test("send nothing if the lists already are so, and warn of entries that could not be removed", async () => {
    await using served = await serveFake({ websites: [website] });
    const run = await update(served, "--add-exclude-params", "ref", "--remove-exclude-ips", "203.0.113.7,192.0.2.1");
    expect(run.exitCode).toBe(0);
    expect(JSON.parse(run.stdout)).toEqual(served.fake.websites[0]);
    expect(
      run.stderr
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).warning.message),
    ).toEqual(["exclude_ips does not contain 203.0.113.7.", "exclude_ips does not contain 192.0.2.1."]);
    expect(changesSent(served)).toEqual([]);
  });

  test("say on a terminal what made no difference", async () => {
    await using served = await serveFake({ websites: [website] });
    const flags = ["--add-exclude-params", "ref", "--remove-exclude-ips", "203.0.113.7"];
    using terminal = openTerminal(["websites", "update", "1", ...flags], served);
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen()).toContain(
      "\nWarning: exclude_ips does not contain 203.0.113.7.\nexclude_params already contains ref.\n" +
        "Nothing changed. example.com (ID 1)",
    );
  });

  test.each([
    [["--add-exclude-ips", "1.2.3,::1,x"], /^--add-exclude-ips: "1\.2\.3" is not an IPv4 address.*; "x" is not/],
    [["--remove-exclude-params", "a=b"], /^--remove-exclude-params: "a=b" contains/],
    [
      ["--add-exclude-params", "a,b", "--remove-exclude-params", "b"],
      /^Entries of exclude_params cannot be both added and removed: b\.$/,
    ],
    [
      ["--add-exclude-ips", "::1", "--exclude-ips", "::2"],
      /'--add-exclude-ips <addresses>' cannot be used with option '--exclude-ips/,
    ],
    [["--remove-exclude-ips", "::1", "--exclude-ips-file", "x"], /cannot be used with option '--exclude-ips-file/],
    [["--remove-exclude-params", "a", "--exclude-params", "b"], /cannot be used with option '--exclude-params/],
  ])("refuse %j before anything is sent", async (flags, message) => {
    await using served = await serveFake({ websites: [website] });
    const run = await update(served, ...flags);
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(JSON.parse(run.stderr).error.message).toMatch(message);
    expect(served.fake.requests).toEqual([]);
  });
});

describe("if somebody else changes the website at the same time", () => {
  test("both changes are kept", async () => {
    await using served = await serveFake({ websites: [website] });
    served.fake.delayNext({ delayMs: 500, method: "PUT" });
    const run = update(served, "--add-exclude-params", "id");
    while (changesSent(served).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    served.fake.updateWebsite(1, { exclude_params: ["fbclid", "ref"], email: 1 });
    expect(JSON.parse((await run).stdout)).toMatchObject({ exclude_params: ["fbclid", "ref", "id"], email: 1 });
    expect(changesSent(served)).toHaveLength(2);
  });

  test("the update fails if the user chose the version to change", async () => {
    await using served = await serveFake({ websites: [website] });
    const run = await update(served, "--add-exclude-params", "id", "--if-match", "1-99");
    expect(run.exitCode).toBe(5);
    expect(changesSent(served)).toHaveLength(1);
  });

  test("the update also checks the chosen version if it has nothing to change", async () => {
    await using served = await serveFake({ websites: [website] });
    const run = await update(served, "--add-exclude-params", "ref", "--if-match", "1-99");
    expect(run.exitCode).toBe(5);
  });

  test("the update gives up after 20 attempts", async () => {
    await using served = await serveFake({ websites: [website] });
    served.fake.failNext({ code: "precondition_failed", method: "PUT", times: Number.POSITIVE_INFINITY });
    const run = await update(served, "--add-exclude-params", "id");
    expect(run.exitCode).toBe(5);
    expect(changesSent(served)).toHaveLength(20);
  });
});
