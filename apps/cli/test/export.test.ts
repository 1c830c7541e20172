import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Website } from "@siteward/sdk";
import { describe, expect, test } from "vitest";
import { addChecksum } from "../src/site-file/export-checksum.ts";
import { schemaUrl } from "../src/site-file/format-site-file.ts";
import { newWebsite } from "./support/fake-operations.ts";
import { type FakeService, keys, startFakeService } from "./support/fake-service.ts";
import { openTerminal } from "./support/open-terminal.ts";
import { binPath, cleanEnvironment, runCli } from "./support/run-cli.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

/** A site file as an export has written it before. */
const earlier = addChecksum(`# yaml-language-server: $schema=${schemaUrl}
version: 1
websites:
  - domain: shop.example
    privacy: password
    email: true
    password_env: SITEWARD_PASSWORD_SHOP_EXAMPLE
  - xn--bcher-kva.example # bücher.example
`);

const loss = "Its comments, defaults, anchors, and settings that were not applied would be lost.";

const manyDomains = Array.from({ length: 50_000 }, (_, index) => `  - z${100_000 + index}.example\n`).join("");

const passwords = { SITEWARD_PASSWORD_SHOP_EXAMPLE: "correct horse" };

function environment(service: FakeService): Record<string, string> {
  return { SITEWARD_API_KEY: keys.full, SITEWARD_BASE_URL: service.baseUrl };
}

/** Starts a service with websites that are hard to write to a file. */
async function startFullService(): Promise<FakeService> {
  const service = await startFakeService();
  const inputs = [
    { domain: "shop.example", privacy: 2 as const, password: "battery staple", email: 1 as const },
    { domain: "plain.example" },
    {
      domain: "xn--bcher-kva.example",
      exclude_bots: 0 as const,
      exclude_params: ["@ref", "'@x", "''-y", 'a"b', "no", "42"],
    },
    { domain: "a.example", privacy: 1 as const, exclude_ips: ["203.0.113.0/24", "2001:db8::", "10.*.*.*"] },
    { domain: "b.example", exclude_params: ["'+1"] },
  ];
  for (const [index, input] of inputs.entries()) service.websites.set(index + 1, newWebsite(index + 1, input));
  return service;
}

/** Returns the websites of a service, sorted by domain, without what the service assigns. */
function recordsOf({ websites }: FakeService): readonly Partial<Website>[] {
  const records = [...websites.values()].toSorted((one, other) => (one.domain < other.domain ? -1 : 1));
  return records.map(({ id: _id, created_at: _created, updated_at: _updated, ...record }) => record);
}

describe("an export", () => {
  test.each(["siteward.yaml", "websites.csv", "websites.json", "websites.ndjson"])(
    "to %s is imported into an empty account as the same websites",
    async (name) => {
      await using service = await startFullService();
      await using empty = await startFakeService();
      await using folder = await createTemporaryFolder();
      const path = join(folder.path, name);
      const exported = await runCli(["export", path], { env: environment(service) });
      expect(exported).toEqual({ exitCode: 0, stdout: "", stderr: "" });
      expect(await readFile(path, "utf8")).not.toContain("battery");
      const imported = await runCli(["import", path], { env: { ...environment(empty), ...passwords } });
      expect(imported).toMatchObject({ exitCode: 0, stderr: "" });
      expect(recordsOf(empty)).toEqual(recordsOf(service));
    },
  );

  test("goes to standard output as a site file, or in the format of --output", async () => {
    await using service = await startFakeService(["b.example", "a.example"]);
    const yaml = await runCli(["export"], { env: environment(service) });
    expect(yaml.stdout).toMatch(/^version: 1\nwebsites:\n {2}- a\.example\n {2}- b\.example\n$/m);
    const csv = await runCli(["export", "-", "-o", "csv"], { env: environment(service) });
    expect(csv.stdout.split("\r\n").toSorted()).toEqual([
      "",
      "a.example,0,0,1,,,",
      "b.example,0,0,1,,,",
      "domain,privacy,email,exclude_bots,exclude_params,exclude_ips,password_env",
    ]);
  });

  test("to a file without an extension is a site file, and --output allows any extension", async () => {
    await using service = await startFakeService(["a.example"]);
    await using folder = await createTemporaryFolder();
    const [bare, backup] = [join(folder.path, "websites"), join(folder.path, "websites.bak")];
    expect(await runCli(["export", bare], { env: environment(service) })).toMatchObject({ exitCode: 0 });
    expect(await readFile(bare, "utf8")).toContain("- a.example");
    expect(await runCli(["export", backup, "-o", "csv"], { env: environment(service) })).toMatchObject({ exitCode: 0 });
    expect(await readFile(backup, "utf8")).toContain("a.example,0,0,1");
  });

  test("replaces the target of a link as a whole, and leaves the file alone if the service fails", async () => {
    await using service = await startFakeService(["a.example"]);
    await using folder = await createTemporaryFolder();
    const [target, link] = [join(folder.path, "target.yaml"), join(folder.path, "link.yaml")];
    await writeFile(target, earlier);
    await symlink(target, link);
    service.answerNext({ problem: { status: 403, code: "insufficient_scope" } });
    expect(await runCli(["export", link], { env: environment(service) })).toMatchObject({ exitCode: 4 });
    expect(await readFile(target, "utf8")).toBe(earlier);
    await runCli(["export", link], { env: environment(service) });
    expect(await readFile(target, "utf8")).toContain("- a.example");
    expect(await readdir(folder.path)).toEqual(["link.yaml", "target.yaml"]);
  });

  test("keeps the permissions of the file that it replaces", async () => {
    await using service = await startFakeService(["a.example"]);
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "siteward.yaml");
    await writeFile(path, earlier.replaceAll("\n", "\r\n"));
    await chmod(path, 0o640);
    expect(await runCli(["export", path], { env: environment(service) })).toMatchObject({ exitCode: 0 });
    expect((await stat(path)).mode & 0o777).toBe(0o640);
  });

  test("writes to a pipe that has a name, and never puts a file in its place", async () => {
    await using service = await startFakeService(["a.example"]);
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "pipe.yaml");
    execFileSync("mkfifo", [path]);
    const [run, received] = await Promise.all([
      runCli(["export", path], { env: environment(service) }),
      readFile(path, "utf8"),
    ]);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(received).toContain("- a.example");
    expect((await stat(path)).isFIFO()).toBe(true);
    expect(await readdir(folder.path)).toEqual(["pipe.yaml"]);
  });

  test("that is interrupted says so, and leaves the earlier file and nothing else", async () => {
    await using service = await startFakeService(["a.example"]);
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "siteward.yaml");
    await writeFile(path, earlier);
    service.answerNext("none");
    const child = spawn(process.execPath, [binPath, "export", path], { env: cleanEnvironment(environment(service)) });
    while (service.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill("SIGINT");
    const errors = text(child.stderr);
    expect(await once(child, "close")).toEqual([130, null]);
    expect(JSON.parse(await errors).error).toEqual({ code: "interrupted", message: "Interrupted." });
    expect(await readFile(path, "utf8")).toBe(earlier);
    expect(await readdir(folder.path)).toEqual(["siteward.yaml"]);
  });

  test.each([
    ["a comment", earlier.replace("shop.example\n", "shop.example # the shop\n")],
    ["defaults", earlier.replace("websites:", "defaults: { email: true }\nwebsites:")],
    ["an anchor", earlier.replace("email: true", "email: &mail true")],
    ["a place for anchors", `x-office: [203.0.113.7]\n${earlier}`],
    ["another name of a password", earlier.replace("SITEWARD_PASSWORD_SHOP_EXAMPLE", "SHOP_PASSWORD")],
    ["a problem", earlier.replace("true", "sometimes")],
    ["a domain in the place of another", earlier.replace(/xn--bcher.*/, "z.example")],
    ["50,000 websites of its own", `${earlier}${manyDomains}`],
    ["no checksum", earlier.replace(/^# export-checksum.*\n/m, "")],
    ["more than 32 MiB", `${earlier}${"#".repeat(33 * 1024 * 1024)}\n`],
  ])("over a site file with %s is refused without --force, before it sends a request", async (_what, text) => {
    await using service = await startFakeService(["a.example"]);
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "siteward.yaml");
    await writeFile(path, text);
    const refused = await runCli(["export", path], { env: environment(service) });
    expect(refused.exitCode).toBe(2);
    expect(JSON.parse(refused.stderr).error).toEqual({
      code: "confirmation_required",
      message: `${path} is not an unedited export. ${loss}`,
      next: "To replace it, use --force.",
    });
    expect(service.requests).toEqual([]);
    expect(await readFile(path, "utf8")).toBe(text);
    expect(await runCli(["export", path, "--force"], { env: environment(service) })).toMatchObject({ exitCode: 0 });
    expect(await readFile(path, "utf8")).toContain("- a.example");
  });

  test("over a site file that cannot be read is refused without --force", async () => {
    await using service = await startFakeService(["a.example"]);
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "siteward.yaml");
    // No user can read the first page of this file, not even root, who can read a file of mode 000.
    await symlink("/proc/self/mem", path);
    const refused = await runCli(["export", path], { env: environment(service) });
    expect(refused.exitCode).toBe(2);
    expect(JSON.parse(refused.stderr).error.message).toBe(`${path} is not an unedited export. ${loss}`);
    expect(service.requests).toEqual([]);
  });

  test("replaces an earlier export of other websites without --force, and is equal if nothing changed", async () => {
    await using service = await startFakeService(["a.example"]);
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "siteward.yaml");
    const write = async () => {
      const run = await runCli(["export", path], { env: environment(service) });
      expect(run).toEqual({ exitCode: 0, stdout: "", stderr: "" });
      return await readFile(path, "utf8");
    };
    const first = await write();
    expect(await write()).toBe(first);
    service.websites.set(2, newWebsite(2, { domain: "b.example" }));
    expect(await write()).toContain("- b.example");
  });

  test.each([
    ["y", "- a.example\n"],
    ["n", "websites: [old.example]\n"],
  ])("over a site file that was edited asks on a terminal: %s", async (answer, content) => {
    await using service = await startFakeService(["a.example"]);
    await using folder = await createTemporaryFolder();
    const path = join(folder.path, "siteward.yaml");
    await writeFile(path, "version: 1\nwebsites: [old.example]\n");
    using terminal = openTerminal(["export", "siteward.yaml"], { env: environment(service), folder: folder.path });
    await terminal.waitFor("siteward.yaml is not an unedited export. Replace it?");
    terminal.type(answer);
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen()).toContain(
      answer === "y" ? "Exported 1 website to siteward.yaml." : "Nothing was written.",
    );
    expect(await readFile(path, "utf8")).toContain(content);
  });

  test.each([
    [["domains.txt"], "An export cannot have the format list. Use yaml, json, ndjson, csv."],
    [
      ["websites.xlsx"],
      "An export cannot have the extension .xlsx. Use .yaml, .json, .ndjson, .csv, or choose the format with --output.",
    ],
    [["-o", "table"], "An export cannot have the format table. Use yaml, json, ndjson, csv."],
    [["--fields", "domain"], "--fields does not apply: an export has all settings."],
    [["--json", "/dev/null/siteward.json"], "Cannot write /dev/null/siteward.json: not a directory."],
  ])("%j is refused", async (args, message) => {
    await using service = await startFakeService();
    const run = await runCli(["export", ...args], { env: environment(service) });
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toContain(message);
  });
});
