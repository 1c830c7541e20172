import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { askForCompletion } from "./support/ask-for-completion.ts";
import { buildWebsite } from "./support/build-website.ts";
import { type FakeService, keys, startFakeService } from "./support/fake-service.ts";
import { runCli } from "./support/run-cli.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

function settingsOf({ baseUrl }: FakeService) {
  return { SITEWARD_API_KEY: keys.full, SITEWARD_BASE_URL: baseUrl, SITEWARD_CONFIG_DIR: "/nonexistent" };
}

describe("domains", () => {
  test("are those of the account that start with what was typed, found in one request", async () => {
    await using service = await startFakeService(["shop.example.com", "example.com", "example.org"]);
    const answer = await askForCompletion("websites get example", settingsOf(service));
    expect(answer.stdout).toBe("word\nexample.com\tID 2\nexample.org\tID 3\n");
    expect(service.requests.map(({ path, query }) => [path, Object.fromEntries(query)])).toEqual([
      ["/api/v1/websites", { search: "example", per_page: "100", sort_by: "domain", sort: "asc" }],
    ]);
  });

  test.each([
    ["", ["bücher.example", "example.com", "ёж.рф"]],
    ["bü", ["bücher.example"]],
    ["BÜCHER.", ["bücher.example"]],
    ["b", ["bücher.example"]],
    ["xn--b", ["xn--bcher-kva.example"]],
    ["ёж.р", ["ёж.рф"]],
    ["'", []],
  ])("are in the form in which they were begun: %j", async (typed, values) => {
    await using service = await startFakeService(["xn--bcher-kva.example", "example.com", "xn--f1a7c.xn--p1ai"]);
    expect((await askForCompletion(`websites update ${typed}`, settingsOf(service))).values).toEqual(values);
  });

  test("do not repeat those that were typed", async () => {
    await using service = await startFakeService(["example.com", "xn--bcher-kva.example", "example.org"]);
    const { values } = await askForCompletion("websites delete example.com bücher.example ", settingsOf(service));
    expect(values).toEqual(["example.org"]);
  });

  test("are those of the profile that the command line names", async () => {
    await using folder = await createTemporaryFolder();
    await using home = await startFakeService(["home.example"]);
    await using work = await startFakeService(["work.example"]);
    const profiles = {
      default: { api_key: keys.full, base_url: home.baseUrl },
      work: { api_key: keys.full, base_url: work.baseUrl },
    };
    await writeFile(join(folder.path, "profiles.json"), JSON.stringify({ profiles }), { mode: 0o600 });
    const env = { SITEWARD_CONFIG_DIR: folder.path };
    expect((await askForCompletion("websites get ", env)).values).toEqual(["home.example"]);
    expect((await askForCompletion("--profile work websites get ", env)).values).toEqual(["work.example"]);
    expect((await askForCompletion("websites get --profile=", env)).values).toEqual([
      "--profile=default",
      "--profile=work",
    ]);
  });

  test.each(["--base-url http://127.0.0.1:1", "--api-key-file key.txt", "--api-key-stdin"])(
    "are not asked for if %s decides who gets which key",
    async (flag) => {
      await using service = await startFakeService(["example.com"]);
      expect((await askForCompletion(`${flag} websites get `, settingsOf(service))).values).toEqual([]);
      expect(service.requests).toEqual([]);
    },
  );
});

describe("of a service that cannot be trusted", () => {
  test("only what is a domain is offered", async () => {
    await using service = await startFakeService(["example.com"]);
    const hostile = ["$(touch pwned).example", "a\nb.example", "\u001b[31m.example", "-rf", "a;b.example", "A.example"];
    for (const [index, domain] of hostile.entries()) service.websites.set(index + 2, buildWebsite(index + 2, domain));
    const answer = await askForCompletion("websites get ", settingsOf(service));
    expect(answer.stdout).toBe("word\nexample.com\tID 1\n");
  });

  test("only what is a profile name is offered", async () => {
    await using folder = await createTemporaryFolder();
    const profile = { api_key: keys.full, base_url: "http://127.0.0.1:1" };
    const profiles = { work: profile, "$(touch pwned)": profile, "a\nb": profile };
    await writeFile(join(folder.path, "profiles.json"), JSON.stringify({ profiles }));
    const { stdout } = await askForCompletion("profiles use ", { SITEWARD_CONFIG_DIR: folder.path });
    expect(stdout).toBe("word\nwork\t\n");
  });
});

describe("nothing is offered and nothing is printed", () => {
  test("if the service does not answer in time, and the process ends", async () => {
    await using service = await startFakeService(["example.com"]);
    service.answerNext("none");
    const run = await runCli(["__complete", "zsh", "websites", "get", ""], { env: settingsOf(service) });
    expect(run).toEqual({ exitCode: 0, stdout: "word\n", stderr: "" });
    expect(service.requests).toHaveLength(1);
  });

  test("if the service fails, without a retry", async () => {
    await using service = await startFakeService(["example.com"]);
    service.answerNext({ problem: { status: 503, code: "unavailable" } });
    expect((await askForCompletion("websites get ", settingsOf(service))).stdout).toBe("word\n");
    expect(service.requests).toHaveLength(1);
  });

  test.each<[reason: string, settings: Readonly<Record<string, string>>]>([
    ["the key is revoked", { SITEWARD_API_KEY: keys.revoked }],
    ["the key is mistyped", { SITEWARD_API_KEY: "swk_mistyped" }],
    ["there is no key", { SITEWARD_API_KEY: "" }],
    ["the profile does not exist", { SITEWARD_API_KEY: "", SITEWARD_PROFILE: "missing" }],
    ["nothing listens", { SITEWARD_BASE_URL: "http://127.0.0.1:1" }],
    ["the base URL is invalid", { SITEWARD_BASE_URL: "not a url" }],
  ])("if %s", async (_reason, settings) => {
    await using service = await startFakeService(["example.com"]);
    const answer = await askForCompletion("websites get ", { ...settingsOf(service), ...settings });
    expect(answer.stdout).toBe("word\n");
  });

  test("if the profile file is broken", async () => {
    await using folder = await createTemporaryFolder();
    await writeFile(join(folder.path, "profiles.json"), "{");
    const env = { SITEWARD_CONFIG_DIR: folder.path };
    expect((await askForCompletion("profiles use ", env)).values).toEqual([]);
  });

  test("if a command would warn, such as of a profile file that other users can read", async () => {
    await using folder = await createTemporaryFolder();
    await using service = await startFakeService(["example.com"]);
    const profiles = { default: { api_key: keys.full, base_url: service.baseUrl } };
    const path = join(folder.path, "profiles.json");
    await writeFile(path, JSON.stringify({ profiles }), { mode: 0o644 });
    const env = { SITEWARD_CONFIG_DIR: folder.path };
    expect((await askForCompletion("websites get ", env)).values).toEqual([]);
    expect(service.requests).toEqual([]);
    await chmod(path, 0o600);
    expect((await askForCompletion("websites get ", env)).values).toEqual(["example.com"]);
  });
});
