import { existsSync } from "node:fs";
import { cliBin } from "@siteward/testing/servers/built-programs";
import { describe, expect } from "vitest";
import { openCli, test } from "./support/cli-test.ts";
import { runInTerminal } from "./support/open-terminal.ts";
import { errorOf } from "./support/run-cli.ts";
import { serveFake } from "./support/serve-fake.ts";
import { runInShell } from "./support/start-cli.ts";

/** Every write to this device fails as on a full disk. Only Linux and some BSDs have it. */
const fullDevice = "/dev/full";
const message = "Cannot write the result: no space left on device.";
const websites = Array.from({ length: 2000 }, (_, index) => ({ domain: `site-${index}.example` }));

describe("a result that cannot be written", () => {
  test.for([
    ["websites list --all --output table", 0],
    ["websites get 1", 0],
    ["export", 0],
    ["completion bash", 0],
    ["websites update --help", 0],
    ["api GET account --include", 0],
    ["api GET websites/99 --include", 3],
    ["import domains.txt --on-conflict fail", 5],
    ["plan siteward.yaml --detailed-exitcode", 2],
    ["plan siteward.yaml --detailed-exitcode --output table", 2],
    ["plan siteward.yaml --detailed-exitcode --fields create", 2],
    ["check domains.txt", 2],
    ["websites check 1 --url https://other.example/", 1],
    ["websites create example.com new.example", 7],
    ["websites delete 1 2 --yes", 7],
    ["apply siteward.yaml --yes --output table", 0],
  ] as const)(
    "does not change how `siteward %s` ends if its reader went away, and is its error if the disk is full",
    async ([words, code], { folder }) => {
      await folder.write("domains.txt", "example.com\nnot a domain\n");
      await folder.write("siteward.yaml", "version: 1\nwebsites: [example.com, new.example]\n");
      const runWith = async (stdoutFault: string) => {
        await using served = await serveFake({ websites: [{ domain: "example.com" }, { domain: "kept.example" }] });
        served.fake.failNext({ code: "insufficient_scope", method: "DELETE", path: "/api/v1/websites/2" });
        return await openCli(served).run(words.replace(/\S+\.(txt|yaml)/, `${folder.path}/$&`), { stdoutFault });
      };
      const unread = await runWith("EPIPE: broken pipe, write");
      expect(unread.exitCode).toBe(code);
      expect(unread.stderr).not.toContain("Cannot write");
      const full = await runWith("ENOSPC: no space left on device, write");
      expect(full.exitCode).toBe(1);
      if (words.includes("table")) expect(full.stderr).toContain(`Error: ${message}\n`);
      else expect(errorOf(full)).toEqual({ code: "output_failed", message });
    },
  );
});

describe("a reader that goes away", () => {
  test.for([
    ["websites list --all --output csv", "| head -1"],
    ["websites update --help", "| head -1"],
    ["websites list --all --output ndjson", "| true"],
  ] as const)("is no error of `siteward %s %s`", async ([words, reader]) => {
    await using served = await serveFake({ websites });
    const { exitCode, stdout, stderr } = await runInShell(words, reader, served.env);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toMatch(reader === "| true" ? /^$/ : /^[^\n]+\n$/);
  });

  test("does not keep `siteward apply --yes` from applying its plan", async ({ cli, folder }) => {
    const path = await folder.write("siteward.yaml", "version: 1\nwebsites: [new.example]\n");
    expect(await runInShell(`apply ${path} --yes --output table`, "| true", cli.env)).toMatchObject({ exitCode: 0 });
    expect(cli.fake.websites).toHaveLength(1);
  });

  test("ends a list that streams: no further page is read", async () => {
    await using served = await serveFake({ websites });
    const { child, ended } = openCli(served).start("websites list --all -o ndjson");
    child.stdout.once("data", () => child.stdout.destroy());
    expect(await ended).toMatchObject({ exitCode: 0, stderr: "" });
    expect(served.fake.requests.length).toBeLessThan(20);
  });
});

describe.skipIf(!existsSync(fullDevice))("a full disk", () => {
  test.for(["websites get 1", `export ${fullDevice}`, "--version"])(
    "is one plain error and exit code 1 of `siteward %s`",
    async (words, { cli }) => {
      await cli.add("example.com");
      const run = await runInShell(words, `>${fullDevice}`, cli.env);
      expect(run.exitCode).toBe(1);
      expect(errorOf(run)).toEqual({ code: "output_failed", message });
    },
  );

  test.for([
    ["websites get 99999", 3],
    ["--verbose account", 0],
  ] as const)(
    "for messages changes neither the result nor the exit code of `siteward %s`",
    async ([words, exitCode], { cli }) => {
      const { stdout } = await cli.run(words);
      const run = await runInShell(words, `2>${fullDevice}`, cli.env);
      expect({ ...run, stdout: run.stdout.replaceAll(/"last_used_at.*/g, "") }).toEqual({
        exitCode,
        stdout: stdout.replaceAll(/"last_used_at.*/g, ""),
        stderr: "",
      });
    },
  );
});

test.for([
  ["websites get 1", "<&- 2>&-", 0],
  ["websites get 1", ">&-", 0],
  ["--help", ">&-", 0],
  ["websites delete 1", "<&-", 2],
  ["login --api-key-stdin", "<&-", 2],
] as const)(
  "with closed streams, `siteward %s %s` ends with %i and no stack trace",
  async ([words, redirection, exitCode], { cli }) => {
    await cli.add("example.com");
    const run = await runInShell(words, redirection, cli.env);
    expect(run.stderr).not.toMatch(/\n\s+at |Warning:/);
    expect(run.exitCode).toBe(exitCode);
  },
);

test("errors are text for a person whose result goes to a program", async () => {
  using terminal = runInTerminal(["/bin/sh", "-c", `"$0" "$1" account >/dev/null`, process.execPath, cliBin]);
  await terminal.exitCode;
  expect(terminal.screen()).toContain("Error: No API key was found.\nLog in with");
});
