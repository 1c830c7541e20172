import { execFileSync } from "node:child_process";
import { chmod, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CreateWebsite } from "@siteward/sdk";
import { describe, expect } from "vitest";
import { addChecksum, schemaUrl } from "../src/files/site/format.ts";
import { openCli, test } from "./support/cli-test.ts";
import { errorOf } from "./support/run-cli.ts";
import { serveFake } from "./support/serve-fake.ts";

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

/** Websites that are hard to write to a file. */
const websites: readonly CreateWebsite[] = [
  { domain: "shop.example", privacy: 2, password: "battery staple", email: 1 },
  { domain: "plain.example" },
  { domain: "xn--bcher-kva.example", exclude_bots: 0, exclude_params: ["@ref", 'a"b', "no", "42"] },
  { domain: "a.example", privacy: 1, exclude_ips: ["203.0.113.0/24", "2001:db8::", "10.*.*.*"] },
  { domain: "b.example", exclude_params: ["@1"] },
];

describe("siteward export", () => {
  test.for(["siteward.yaml", "websites.csv", "websites.json", "websites.ndjson"])(
    "to %s is imported into an empty account as the same websites",
    async (name, { cli, folder }) => {
      await using full = await serveFake({ websites });
      const path = join(folder.path, name);
      expect(await openCli(full).run(`export ${path}`)).toEqual({ exitCode: 0, stdout: "", stderr: "" });
      expect(await folder.read(name)).not.toContain("battery");
      const env = { SITEWARD_PASSWORD_SHOP_EXAMPLE: "correct horse" };
      expect(await cli.run(`import ${path} --privacy public`, { env })).toMatchObject({ exitCode: 0, stderr: "" });
      const [before, after] = [full.fake, cli.fake].map((fake) =>
        fake.websites
          .map(({ id: _id, created_at: _created, updated_at: _updated, ...record }) => record)
          .toSorted((one, other) => (one.domain < other.domain ? -1 : 1)),
      );
      expect(after).toEqual(before);
    },
  );

  test("goes to standard output as a site file, or in the format of --output", async ({ cli }) => {
    await cli.add("b.example", "a.example");
    const yaml = await cli.run("export");
    expect(yaml.stdout).toMatch(/^version: 1\nwebsites:\n {2}- a\.example\n {2}- b\.example\n$/m);
    const csv = await cli.run("export - -o csv");
    expect(csv.stdout.split("\r\n").toSorted()).toEqual([
      "",
      "a.example,public,off,on,,,",
      "b.example,public,off,on,,,",
      "domain,privacy,email,exclude_bots,exclude_params,exclude_ips,password_env",
    ]);
  });

  test("to a file without an extension is a site file, and --output allows any extension", async ({ cli, folder }) => {
    await cli.add("a.example");
    expect(await cli.run(`export ${join(folder.path, "websites")}`)).toMatchObject({ exitCode: 0 });
    expect(await folder.read("websites")).toContain("- a.example");
    const lists = "lists:\n  office: [203.0.113.7]\nversion: 1\nwebsites: []\n";
    const path = await folder.write("websites", lists);
    expect(errorOf(await cli.run(`export ${path}`)).code).toBe("confirmation_required");
    expect(await cli.run(`export ${path} -o csv`)).toMatchObject({ exitCode: 2 });
    expect(await folder.read("websites")).toBe(lists);
    expect(await cli.run(`export ${join(folder.path, "websites.bak")} -o csv`)).toMatchObject({ exitCode: 0 });
    expect(await folder.read("websites.bak")).toContain("a.example,public,off,on");
  });

  test("to CSV has words, spaces between entries, and domains in Unicode behind a byte order mark, unless --ascii", async ({
    folder,
  }) => {
    await using full = await serveFake({ websites });
    const csvOf = async (flags: string) => {
      await openCli(full).run(`export ${join(folder.path, "websites.csv")} --force ${flags}`);
      return await folder.read("websites.csv");
    };
    const unicode = await csvOf("");
    expect(unicode).toMatch(/^\ufeffdomain,privacy,/);
    expect(unicode).toContain('\r\nbücher.example,public,off,off,"');
    expect(unicode).toContain('a.example,private,off,on,,"203.0.113.0/24, 2001:db8::, 10.*.*.*",');
    expect(unicode).toContain("shop.example,password,on,on,,,SITEWARD_PASSWORD_SHOP_EXAMPLE");
    expect(await csvOf("--ascii")).toMatch(/^domain,privacy,[\s\S]*\r\nxn--bcher-kva\.example,/);
  });

  test("leaves an earlier file alone if the service fails", async ({ cli, folder }) => {
    const path = await folder.write("siteward.yaml", earlier);
    cli.fake.failNext({ code: "insufficient_scope" });
    expect(await cli.run(`export ${path}`)).toMatchObject({ exitCode: 4 });
    expect(await folder.read("siteward.yaml")).toBe(earlier);
    expect(await readdir(folder.path)).toEqual(["siteward.yaml"]);
  });

  test.for(["siteward.yaml", "websites.csv", "websites.json", "websites.ndjson"])(
    "to %s follows no link, whatever it leads to, also with --force",
    async (name, { cli, folder }) => {
      const path = join(folder.path, name);
      for (const target of [await folder.write("target", earlier), join(folder.path, "nothing"), "/dev/null"]) {
        await symlink(target, path);
        const refused = await cli.run(`export ${path} --force`);
        expect(refused.exitCode).toBe(2);
        expect(errorOf(refused).message).toBe(`${path} is a link, which is not followed.`);
        await rm(path);
      }
      expect(await folder.read("target")).toBe(earlier);
      expect(await readdir(folder.path)).toEqual(["target"]);
    },
  );

  test.for([
    ["a file", "", (path: string) => writeFile(path, "mine"), "changed_meanwhile", "mine"],
    ["an edit", earlier, (path: string) => writeFile(path, "mine"), "changed_meanwhile", "mine"],
    ["a link", earlier, (path: string) => rm(path).then(() => symlink("target", path)), "usage", "ENOENT"],
  ] as const)("leaves %s alone that comes while it runs", async ([_what, before, change, code, after], { folder }) => {
    const path = join(folder.path, "siteward.yaml");
    if (before !== "") await writeFile(path, before);
    await using served = await serveFake({ before: () => change(path) });
    expect(errorOf(await openCli(served).run(`export ${path}`)).code).toBe(code);
    expect(await folder.read("siteward.yaml").catch((error) => error.code)).toBe(after);
    expect(await readdir(folder.path)).toEqual(["siteward.yaml"]);
  });

  test("keeps the permissions of the file that it replaces", async ({ cli, folder }) => {
    const path = await folder.write("siteward.yaml", earlier.replaceAll("\n", "\r\n"));
    await chmod(path, 0o640);
    expect(await cli.run(`export ${path}`)).toMatchObject({ exitCode: 0 });
    expect((await stat(path)).mode & 0o777).toBe(0o640);
  });

  test("writes to a pipe that has a name, and never puts a file in its place", async ({ cli, folder }) => {
    await cli.add("a.example");
    const path = join(folder.path, "pipe.yaml");
    execFileSync("mkfifo", [path]);
    const [run, received] = await Promise.all([cli.run(`export ${path}`), folder.read("pipe.yaml")]);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(received).toContain("- a.example");
    expect((await stat(path)).isFIFO()).toBe(true);
    expect(await readdir(folder.path)).toEqual(["pipe.yaml"]);
  });

  test("replaces an earlier export without --force, and is equal if nothing changed", async ({ cli, folder }) => {
    await cli.add("a.example");
    const write = async () => {
      const run = await cli.run(`export ${join(folder.path, "siteward.yaml")}`);
      expect(run).toEqual({ exitCode: 0, stdout: "", stderr: "" });
      return await folder.read("siteward.yaml");
    };
    await folder.write("siteward.yaml", " \n");
    const first = await write();
    expect(await write()).toBe(first);
    await cli.add("b.example");
    expect(await write()).toContain("- b.example");
  });

  test.for([
    ["a comment", earlier.replace("shop.example\n", "shop.example # the shop\n")],
    ["defaults", earlier.replace("websites:", "defaults: { email: true }\nwebsites:")],
    ["an anchor", earlier.replace("email: true", "email: &mail true")],
    ["a place for anchors", `x-office: [203.0.113.7]\n${earlier}`],
    ["another name of a password", earlier.replace("SITEWARD_PASSWORD_SHOP_EXAMPLE", "SHOP_PASSWORD")],
    ["a problem", earlier.replace("true", "sometimes")],
    ["a domain in the place of another", earlier.replace(/xn--bcher.*/, "z.example")],
    ["no checksum", earlier.replace(/^# export-checksum.*\n/m, "")],
    ["more than 32 MiB", `${earlier}${"#".repeat(33 * 1024 * 1024)}\n`],
  ] as const)(
    "over a site file with %s is refused without --force, before it sends a request",
    async ([_what, text], { cli, folder }) => {
      await cli.add("a.example");
      const path = await folder.write("siteward.yaml", text);
      const refused = await cli.run(`export ${path}`);
      expect(refused.exitCode).toBe(2);
      expect(errorOf(refused)).toEqual({
        code: "confirmation_required",
        message: `${path} is not an unedited export. ${loss}`,
        next: "To replace it, use --force.",
      });
      expect(cli.fake.requests).toEqual([]);
      expect(await folder.read("siteward.yaml")).toBe(text);
      expect(await cli.run(`export ${path} --force`)).toMatchObject({ exitCode: 0 });
      expect(await folder.read("siteward.yaml")).toContain("- a.example");
    },
  );

  test.for(["websites.csv", "websites.json", "websites.ndjson", "domains.txt -o json"])(
    "over %s is refused without --force, also if it wrote the file: nothing shows an edit",
    async (words, { cli, folder }) => {
      const [name = ""] = words.split(" ");
      await cli.add("a.example");
      const write = (flags = "") => cli.run(`export ${join(folder.path, words)} ${flags}`);
      await folder.write(name, "mine");
      expect(errorOf(await write())).toEqual({
        code: "confirmation_required",
        message: `${join(folder.path, name)} exists. Nothing shows whether it was edited.`,
        next: "To replace it, use --force.",
      });
      expect(cli.fake.requests).toEqual([]);
      expect(await folder.read(name)).toBe("mine");
      expect(await write("--force")).toMatchObject({ exitCode: 0 });
      expect(await folder.read(name)).toContain("a.example");
    },
  );

  test("over a site file that cannot be read is refused without --force", async ({ cli }) => {
    // No user can read the first page of this file, not even root, who can read a file of mode 000.
    const path = "/proc/self/mem";
    const refused = await cli.run(`export ${path}`);
    expect(refused.exitCode).toBe(2);
    expect(errorOf(refused).message).toBe(`${path} is not an unedited export. ${loss}`);
    expect(cli.fake.requests).toEqual([]);
  });

  const formats = "Use yaml, json, ndjson or csv, as the extension or with --output.";
  test.for([
    ["domains.txt", `An export cannot have the format list. ${formats}`],
    ["websites.xlsx", `An export cannot have the extension .xlsx. ${formats}`],
    ["-o table", `An export cannot have the format table. ${formats}`],
    ["--fields domain", "--fields does not apply: an export has all settings."],
    ["-o json /dev/null/siteward.json", "Cannot write /dev/null/siteward.json: not a directory."],
  ] as const)("%s is refused", async ([words, message], { cli }) => {
    const run = await cli.run(`export ${words}`);
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toContain(message);
  });
});
