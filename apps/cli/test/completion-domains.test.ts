import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { askForCompletion } from "./support/ask-for-completion.ts";
import { openCli, test } from "./support/cli-test.ts";
import { serveFake, unknownKey } from "./support/serve-fake.ts";

describe("domains", () => {
  test("are those of the account that start with what was typed, found in one request", async ({ cli }) => {
    await cli.add("shop.example.com", "example.com", "example.org");
    const answer = await askForCompletion("websites get example", cli.env);
    expect(answer.stdout).toBe("word\nexample.com\tID 2\nexample.org\tID 3\n");
    const query = { search: "example", per_page: "100", sort_by: "domain", sort: "asc" };
    expect(cli.fake.requests).toMatchObject([{ path: "/api/v1/websites", query }]);
  });

  test.for([
    ["", ["example.com", "bücher.example", "ёж.рф"]],
    ["bü", ["bücher.example"]],
    ["BÜCHER.", ["bücher.example"]],
    ["b", ["bücher.example"]],
    ["xn--b", ["xn--bcher-kva.example"]],
    ["ёж.р", ["ёж.рф"]],
    ["'", []],
  ] as const)("are in the form in which they were begun: %j", async ([typed, values], { cli }) => {
    await cli.add("xn--bcher-kva.example", "example.com", "xn--f1a7c.xn--p1ai");
    expect((await askForCompletion(`websites update ${typed}`, cli.env)).values).toEqual(values);
  });

  test("do not repeat those that were typed", async ({ cli }) => {
    await cli.add("example.com", "xn--bcher-kva.example", "example.org");
    const { values } = await askForCompletion("websites delete example.com bücher.example ", cli.env);
    expect(values).toEqual(["example.org"]);
  });

  test("are those of the profile that the command line names", async ({ cli, folder }) => {
    await cli.add("home.example");
    await using work = await serveFake({ websites: [{ domain: "work.example" }] });
    const profiles = {
      default: { api_key: cli.fake.apiKey, base_url: cli.url },
      work: { api_key: work.fake.apiKey, base_url: work.url },
    };
    await folder.write("profiles.json", JSON.stringify({ profiles }));
    const env = { SITEWARD_CONFIG_DIR: folder.path };
    expect((await askForCompletion("websites get ", env)).values).toEqual(["home.example"]);
    expect((await askForCompletion("--profile work websites get ", env)).values).toEqual(["work.example"]);
    const names = ["--profile=default", "--profile=work"];
    expect((await askForCompletion("websites get --profile=", env)).values).toEqual(names);
  });

  test.for(["--base-url http://127.0.0.1:1", "--api-key-file key.txt", "--api-key-stdin"])(
    "are not asked for if %s decides who gets which key",
    async (flag, { cli }) => {
      await cli.add("example.com");
      expect((await askForCompletion(`${flag} websites get `, cli.env)).values).toEqual([]);
      expect((await askForCompletion(`websites get ${flag} `, cli.env)).values).toEqual([]);
      expect(cli.fake.requests).toEqual([]);
    },
  );
});

describe("of a service that cannot be trusted", () => {
  test("only what is a domain is offered", async () => {
    const hostile = ["$(touch pwned).example", "a\nb.example", "\u001b[31m.example", "-rf", "a;b.example", "A.example"];
    const domains = hostile.map((_, index) => `site-${index}.example`);
    const rewrite = (body: string) =>
      body.replaceAll(/"site-(\d)\.example"/g, (_all, index) => JSON.stringify(hostile[index]));
    await using served = await serveFake({ rewrite });
    await openCli(served).add("example.com", ...domains);
    expect((await askForCompletion("websites get ", served.env)).stdout).toBe("word\nexample.com\tID 1\n");
  });

  test("only what is a profile name is offered", async ({ folder }) => {
    const profile = { api_key: unknownKey, base_url: "http://127.0.0.1:1" };
    const profiles = { work: profile, "$(touch pwned)": profile, "a\nb": profile };
    await folder.write("profiles.json", JSON.stringify({ profiles }));
    const { stdout } = await askForCompletion("profiles use ", { SITEWARD_CONFIG_DIR: folder.path });
    expect(stdout).toBe("word\nwork\t\n");
  });
});

describe("nothing is offered and nothing is printed", () => {
  test("if the service does not answer in time, and the process ends", async ({ cli }) => {
    cli.fake.failNext({ delayMs: Infinity });
    const run = await cli.start(["__complete", "zsh", "websites", "get", ""]).ended;
    expect(run).toEqual({ exitCode: 0, stdout: "word\n", stderr: "" });
    expect(cli.fake.requests).toHaveLength(1);
  });

  test("if the service fails, without a retry", async ({ cli }) => {
    await cli.add("example.com");
    cli.fake.failNext({ code: "unavailable" });
    expect((await askForCompletion("websites get ", cli.env)).stdout).toBe("word\n");
    expect(cli.fake.requests).toHaveLength(1);
  });

  test.for<[reason: string, settings: Readonly<Record<string, string>>]>([
    ["the key is revoked", { SITEWARD_API_KEY: unknownKey }],
    ["there is no key", { SITEWARD_API_KEY: "" }],
    ["the profile does not exist", { SITEWARD_API_KEY: "", SITEWARD_PROFILE: "missing" }],
    ["nothing listens", { SITEWARD_BASE_URL: "http://127.0.0.1:1" }],
  ])("if %s", async ([_reason, settings], { cli }) => {
    await cli.add("example.com");
    expect((await askForCompletion("websites get ", { ...cli.env, ...settings })).stdout).toBe("word\n");
  });

  test("if the profile file is broken", async ({ folder }) => {
    await folder.write("profiles.json", "{");
    expect((await askForCompletion("profiles use ", { SITEWARD_CONFIG_DIR: folder.path })).values).toEqual([]);
  });

  test("if a command would warn, such as of a profile file that other users can read", async ({ cli, folder }) => {
    await cli.add("example.com");
    const profiles = { default: { api_key: cli.fake.apiKey, base_url: cli.url } };
    const ask = async () => (await askForCompletion("websites get ", { SITEWARD_CONFIG_DIR: folder.path })).values;
    await folder.write("profiles.json", JSON.stringify({ profiles }), 0o644);
    expect(await ask()).toEqual([]);
    expect(cli.fake.requests).toEqual([]);
    await chmod(join(folder.path, "profiles.json"), 0o600);
    expect(await ask()).toEqual(["example.com"]);
  });
});
