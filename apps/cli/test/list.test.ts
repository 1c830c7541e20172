import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { keys, startFakeService } from "./support/fake-service.ts";
import { openTerminal } from "./support/open-terminal.ts";
import { binPath, cleanEnvironment } from "./support/run-cli.ts";

const domains = Array.from({ length: 23 }, (_, index) => `site-${index + 1}.example`);

/** Returns the screen after `siteward websites list` at a terminal, for an account with these domains. */
async function list(flags: readonly string[], accountDomains: readonly string[] = domains): Promise<string> {
  await using service = await startFakeService(accountDomains);
  const env = { SITEWARD_API_KEY: keys.full, SITEWARD_BASE_URL: service.baseUrl };
  using terminal = openTerminal(["websites", "list", ...flags], { env, columns: 200 });
  expect(await terminal.exitCode).toBe(0);
  return terminal.screen();
}

describe("after a list, a person reads", () => {
  test.each([
    [["--limit", "12"], "12 of 23 websites."],
    [["--all"], "23 websites."],
    [["--search", "site-23"], "1 website."],
    [["--limit", "5", "-o", "csv"], "5 of 23 websites."],
  ])("how much of it is shown: %j", async (flags, note) => {
    expect((await list(flags)).split("\n").at(-2)).toBe(note);
  });

  test("the whole command line of the next page on one line, with the same flags, which a shell runs as it is", async () => {
    await using service = await startFakeService(Array.from({ length: 11 }, (_, index) => `site 'x' ${index + 1}`));
    const env = { SITEWARD_API_KEY: keys.full, SITEWARD_BASE_URL: service.baseUrl };
    const flags = ["--no-color", "--search", "site 'x'", "--sort", "asc", "--page", "1", "--fields", "id,domain"];
    using terminal = openTerminal(["websites", "list", ...flags], { env, columns: 80 });
    expect(await terminal.exitCode).toBe(0);
    const [hint = "", line = ""] = terminal.screen().split("\n").slice(-3);
    expect(hint).toBe("Next page, or --all for all pages:");
    expect(line).toMatch(/^ {2}siteward websites list /);
    const script = `siteward() { "${process.execPath}" "${binPath}" "$@"; }\n${line}`;
    const { stdout } = await promisify(execFile)("sh", ["-c", script], { env: cleanEnvironment(env) });
    expect(JSON.parse(stdout)).toEqual([{ id: 11, domain: "site 'x' 11" }]);
    expect([...(service.requests.at(-1)?.query ?? [])]).toEqual([
      ["search", "site 'x'"],
      ["sort", "asc"],
      ["cursor", "after-10"],
    ]);
  });

  test("nothing about a next page after the last one", async () => {
    expect(await list(["--page", "3"])).toMatch(/\n3 of 23 websites\.\n$/);
  });

  test.each([
    [[], [], "No websites yet. Create one with `siteward websites create example.com`."],
    [["--all"], [], "No websites yet. Create one with `siteward websites create example.com`."],
    [["--search", "shop"], domains, 'No websites match "shop".'],
    [["--search", "shop", "--limit", "5"], [], 'No websites match "shop".'],
    [["--page", "9"], domains, "There is no page 9. The last page is 3."],
    [["--cursor", "after-23"], domains, "There are no more websites."],
  ])("why it is empty: %j", async (flags, accountDomains, note) => {
    expect(await list(flags, accountDomains)).toBe(`${note}\n`);
  });
});
