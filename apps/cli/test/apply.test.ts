import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writesTo } from "./support/apply-file.ts";
import { openTerminal } from "./support/open-terminal.ts";
import { retryInAnHour } from "./support/retry-in-an-hour.ts";
import { type RunResult, runCli } from "./support/run-cli.ts";
import { type ServedFake, serveFake } from "./support/serve-fake.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const twoWebsites = "version: 1\nwebsites: [a.example, {domain: b.example, privacy: private}]";

/** Runs the CLI with a site file on standard input. */
async function run(served: ServedFake, args: readonly string[], text: string): Promise<RunResult> {
  return await runCli(["apply", "-", ...args], { env: served.env, stdin: text });
}

describe("in a script", () => {
  test("needs --yes, and sends nothing without it", async () => {
    await using served = await serveFake();
    const { fake } = served;
    const { exitCode, stderr } = await run(served, [], twoWebsites);
    expect({ exitCode, code: JSON.parse(stderr).error.code }).toEqual({ exitCode: 2, code: "confirmation_required" });
    expect(fake.requests).toEqual([]);
  });

  test("prints what became of each change, and a second run sends no write", async () => {
    await using served = await serveFake({ websites: [{ domain: "b.example" }] });
    const { fake } = served;
    const { exitCode, stdout, stderr } = await run(served, ["--yes"], twoWebsites);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual([
      { place: "line 2", domain: "a.example", id: 2, outcome: "created", reason: null },
      { place: "line 2", domain: "b.example", id: 1, outcome: "updated", reason: null },
    ]);
    expect(writesTo(fake)).toHaveLength(2);
    expect(await run(served, ["--yes"], twoWebsites)).toEqual({ exitCode: 0, stdout: "[]\n", stderr: "" });
    expect(writesTo(fake)).toHaveLength(2);
  });

  test("prints the plan and a summary as text on request", async () => {
    await using served = await serveFake();
    const { stdout } = await run(served, ["--yes", "--output", "table"], "version: 1\nwebsites: [a.example]");
    expect(stdout).toBe("+ a.example\n\nPlan: 1 to create. 0 websites are as in the file.\n1 created.\n");
  });

  test("deletes only with --prune and the number of websites to delete", async () => {
    await using served = await serveFake({ websites: [{ domain: "a.example" }, { domain: "b.example" }] });
    const { fake } = served;
    const empty = "version: 1\nwebsites: []";
    const messageOf = ({ stderr }: RunResult): string => JSON.parse(stderr).error.message;
    const kept = await run(served, ["--yes"], empty);
    expect(kept).toMatchObject({ exitCode: 0, stdout: "[]\n" });
    const unnumbered = await run(served, ["--yes", "--prune"], empty);
    expect(messageOf(unnumbered)).toBe("The plan deletes 2 websites. Nothing was changed.");
    expect(JSON.parse(unnumbered.stderr).error.next).toBe("To delete them, add --confirm-delete 2.");
    const wrong = await run(served, ["--yes", "--prune", "--confirm-delete", "1"], empty);
    expect(messageOf(wrong)).toBe("The plan deletes 2 websites, not 1. Nothing was changed.");
    expect([unnumbered.exitCode, wrong.exitCode, writesTo(fake)]).toEqual([2, 2, []]);
    const right = await run(served, ["--yes", "--prune", "--confirm-delete", "2"], empty);
    expect(right.exitCode).toBe(0);
    expect(fake.websites).toEqual([]);
  });
});

describe("a password", () => {
  const text = `version: 1
websites:
  - {domain: a.example, privacy: password, password_env: A_PASSWORD}
  - {domain: b.example, privacy: password, password_file: secrets/b.txt}
`;

  test("comes from the environment or a file next to the site file, and is sent again only with --set-passwords", async () => {
    await using served = await serveFake();
    const { fake } = served;
    await using folder = await createTemporaryFolder();
    await mkdir(join(folder.path, "secrets"));
    await writeFile(join(folder.path, "secrets/b.txt"), "battery staple\n");
    const path = join(folder.path, "clients.yaml");
    await writeFile(path, text);
    const env = { ...served.env, A_PASSWORD: "correct horse" };
    const applied = await runCli(["apply", path, "--yes"], { env });
    expect(applied.exitCode).toBe(0);
    const passwords = (): unknown[] => fake.requests.flatMap(({ body }) => Object(body).password ?? []);
    expect(passwords()).toEqual(["correct horse", "battery staple"]);
    expect((await runCli(["apply", path, "--yes"], { env: served.env })).stdout).toBe("[]\n");
    const again = await runCli(["apply", path, "--yes", "--set-passwords"], { env });
    expect(JSON.parse(again.stdout)).toMatchObject([{ outcome: "updated" }, { outcome: "updated" }]);
    expect(passwords()).toHaveLength(4);
    expect(`${applied.stdout}${again.stdout}`).not.toMatch(/horse|staple/);
  });

  test("that is missing stops the command before anything is changed, with every line that names one", async () => {
    await using served = await serveFake();
    const { fake } = served;
    const { exitCode, stderr } = await run(served, ["--yes"], text);
    expect(exitCode).toBe(2);
    const lines = JSON.parse(stderr).error.message.split("\n");
    expect(lines[1]).toBe("  line 3: a.example: password_env: the environment variable A_PASSWORD is not set");
    expect(lines[2]).toMatch(
      /^ {2}line 4: b\.example: password_file: cannot read "secrets\/b\.txt": no such file or directory$/,
    );
    expect(writesTo(fake)).toEqual([]);
  });
});

describe("a failure", () => {
  const many = Array.from({ length: 12 }, (_, index) => `site-${index}.example`);
  const text = `version: 1\nwebsites: [${many.join(", ")}]`;

  test("half-way ends with 7, and says what is done, what failed and what was not tried", async () => {
    await using served = await serveFake({ websiteLimit: 3 });
    const { exitCode, stdout, stderr } = await run(served, ["--yes", "--parallel", "1"], text);
    expect(exitCode).toBe(7);
    const outcomes = JSON.parse(stdout).map(({ outcome }: { outcome: string }) => outcome);
    expect(outcomes).toEqual([...Array(3).fill("created"), "failed", ...Array(8).fill("not_tried")]);
    const { code, message } = JSON.parse(stderr).error;
    expect(code).toBe("partly_done");
    expect(message).toMatch(/^Stopped at site-3\.example: .*limit of 3.* \(3 created, 1 failed, 8 not tried\)$/);
  });

  test("of several changes at once names each that it counts, says its reason once, and says when to go on", async () => {
    await using served = await serveFake({ websiteLimit: 3 });
    const detail = "The changes of this account have reached their limit. Retry the change after midnight.";
    const { minute, headers } = retryInAnHour();
    const limited = { method: "POST", code: "change_limit_reached", problem: { detail }, headers } as const;
    served.fake.failNext({ ...limited, times: 4 });
    const none = await run(served, ["--yes", "--parallel", "4"], text);
    expect(JSON.parse(none.stderr).error).toMatchObject({
      failed: "site-0.example",
      also_failed: ["site-1.example", "site-2.example", "site-3.example"],
    });
    served.fake.failNext({ ...limited, times: 4 });
    const some = `${text.slice(0, -1)}, other.example]`;
    served.fake.createWebsite({ domain: "a.example" });
    const update = some.replace("websites: [", "websites: [{domain: a.example, email: on}, ");
    const { exitCode, stdout, stderr } = await run(served, ["--yes", "--parallel", "4", "-o", "table"], update);
    expect(exitCode).toBe(7);
    expect(`${stdout}${stderr}`.split(detail)).toHaveLength(2);
    expect(stdout).toMatch(/\n1 updated, (\d) failed, /);
    expect(stdout.match(/: failed$/gm)).toHaveLength(Number(/(\d) failed/.exec(stdout)?.[1]));
    expect(stderr).toMatch(/^Error: Stopped at site-0\.example and \d more: /);
    expect(stderr).toContain(
      `Run the command again after ${minute} to see and do the rest. What is done is not done again.`,
    );
  });

  test("of the first change keeps the exit code of the failure", async () => {
    await using served = await serveFake({ websiteLimit: 0 });
    const { exitCode, stderr } = await run(served, ["--yes", "--parallel", "1"], text);
    expect(exitCode).toBe(4);
    expect(JSON.parse(stderr).error).toMatchObject({ code: "website_limit_reached", failed: "site-0.example" });
    expect(JSON.parse(stderr).error.not_tried).toHaveLength(11);
  });
});

describe("on a terminal", () => {
  const text = "version: 1\nwebsites: [a.example]";

  async function openApply(served: ServedFake, args: readonly string[]) {
    const folder = await createTemporaryFolder();
    await writeFile(join(folder.path, "siteward.yaml"), text);
    const terminal = openTerminal(["apply", ...args], { env: served.env, folder: folder.path });
    const dispose = async (): Promise<void> => {
      terminal[Symbol.dispose]();
      await folder[Symbol.asyncDispose]();
    };
    return { terminal, [Symbol.asyncDispose]: dispose };
  }

  test("shows the plan, asks, and applies it", async () => {
    await using served = await serveFake();
    const { fake } = served;
    await using opened = await openApply(served, []);
    await opened.terminal.waitFor("Apply these changes?");
    expect(opened.terminal.screen()).toContain("+ a.example\n");
    expect(fake.websites).toEqual([]);
    opened.terminal.type("y");
    expect(await opened.terminal.exitCode).toBe(0);
    expect(opened.terminal.screen()).toContain("1 created.");
    expect(fake.websites).toHaveLength(1);
  });

  test("changes nothing if the answer is no, or Ctrl-C", async () => {
    for (const [key, exitCode] of [
      ["\r", 0],
      ["\u0003", 130],
    ] as const) {
      await using served = await serveFake();
      const { fake } = served;
      await using opened = await openApply(served, []);
      await opened.terminal.waitFor("Apply these changes?");
      opened.terminal.type(key);
      expect(await opened.terminal.exitCode).toBe(exitCode);
      expect(fake.websites).toEqual([]);
    }
  });

  test("asks for the number of websites to delete", async () => {
    await using served = await serveFake({ websites: [{ domain: "y.example" }, { domain: "z.example" }] });
    const { fake } = served;
    await using opened = await openApply(served, ["--prune"]);
    await opened.terminal.waitFor("This deletes 2 websites, which cannot be undone. Type 2 to apply the plan.");
    opened.terminal.type("y\r");
    await opened.terminal.waitFor("Type 2, or press Ctrl-C to cancel.");
    expect(writesTo(fake)).toEqual([]);
    opened.terminal.type("\u007f2\r");
    expect(await opened.terminal.exitCode).toBe(0);
    expect(fake.websites.map(({ domain }) => domain)).toEqual(["a.example"]);
  });
});
