import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { openCli, test } from "./support/cli-test.ts";
import { errorOf, jsonOf, type RunResult, warningsOf } from "./support/run-cli.ts";
import { serveFake } from "./support/serve-fake.ts";

const twoWebsites = "version: 1\nwebsites: [a.example, {domain: b.example, privacy: private}]";

describe("siteward apply", () => {
  test("needs --yes in a script, and sends nothing without it", async ({ cli }) => {
    const run = await cli.run("apply -", { stdin: twoWebsites });
    expect(run.exitCode).toBe(2);
    expect(errorOf(run).code).toBe("confirmation_required");
    expect(cli.fake.requests).toEqual([]);
  });

  test("prints what became of each change, and a second run sends no write", async ({ cli }) => {
    await cli.add("b.example");
    const run = await cli.run("apply - --yes", { stdin: twoWebsites });
    expect([run.exitCode, warningsOf(run)]).toEqual([0, ["1 new website will be public (a.example)."]]);
    expect(jsonOf(run)).toEqual([
      { place: "line 2", domain: "a.example", id: 2, outcome: "created", reason: null },
      { place: "line 2", domain: "b.example", id: 1, outcome: "updated", reason: null },
    ]);
    expect(cli.writes()).toHaveLength(2);
    const again = await cli.run("apply - --yes", { stdin: twoWebsites });
    expect(again).toEqual({ exitCode: 0, stdout: "[]\n", stderr: "" });
    expect(cli.writes()).toHaveLength(2);
  });

  test("prints the plan and a summary as text on request", async ({ cli }) => {
    const { stdout } = await cli.run("apply - --yes -o table", { stdin: "version: 1\nwebsites: [a.example]" });
    const plan = "+ a.example\n\nPlan: 1 to create. 0 websites are as in the file.\n";
    expect(stdout).toBe(`${plan}1 new website will be public (a.example).\n1 website: 1 created.\n`);
  });

  test("deletes only with --prune and the number of websites to delete", async ({ cli }) => {
    await cli.add("a.example", "b.example");
    const apply = (flags: string) => cli.run(`apply - --yes ${flags}`, { stdin: "version: 1\nwebsites: []" });
    expect(await apply("")).toMatchObject({ exitCode: 0, stdout: "[]\n" });
    const unnumbered = await apply("--prune");
    expect(unnumbered.exitCode).toBe(2);
    expect(errorOf(unnumbered)).toMatchObject({
      message: "The plan deletes 2 websites. Nothing was changed.",
      next: "To delete them, add --confirm-delete 2.",
    });
    for (const count of [1, 3]) {
      const wrong = await apply(`--prune --confirm-delete ${count}`);
      expect(wrong.exitCode).toBe(2);
      expect(errorOf(wrong).message).toBe(`The plan deletes 2 websites, not ${count}. Nothing was changed.`);
    }
    const unpruned = errorOf(await apply("--confirm-delete 2"));
    expect(unpruned.message).toBe("The plan deletes 0 websites, not 2. Nothing was changed.");
    expect(unpruned.next).toBe("Only with --prune are websites deleted.");
    expect(cli.writes()).toEqual([]);
    expect((await apply("--prune --confirm-delete 2")).exitCode).toBe(0);
    expect(cli.fake.websites).toEqual([]);
  });
});

describe("a password", () => {
  const text = `version: 1
websites:
  - {domain: a.example, privacy: password, password_env: A_PASSWORD}
  - {domain: b.example, privacy: password, password_file: secrets/b.txt}
`;

  test("comes from a variable or a file, and is sent again only with --set-passwords", async ({ cli, folder }) => {
    await mkdir(join(folder.path, "secrets"));
    await folder.write("secrets/b.txt", "battery staple\n");
    const path = await folder.write("clients.yaml", text);
    const env = { A_PASSWORD: "correct horse" };
    const applied = await cli.run(`apply ${path} --yes`, { env });
    expect(applied.exitCode).toBe(0);
    const passwords = (): unknown[] => cli.fake.requests.flatMap(({ body }) => Object(body).password ?? []);
    expect(passwords()).toEqual(["correct horse", "battery staple"]);
    expect((await cli.run(`apply ${path} --yes`)).stdout).toBe("[]\n");
    const again = await cli.run(`apply ${path} --yes --set-passwords`, { env });
    expect(jsonOf(again)).toMatchObject([{ outcome: "updated" }, { outcome: "updated" }]);
    expect(passwords()).toHaveLength(4);
    expect(`${applied.stdout}${again.stdout}`).not.toMatch(/horse|staple/);
  });

  test("that is missing stops the command before anything is changed, with its line", async ({ cli }) => {
    const run = await cli.run("apply - --yes", { stdin: text });
    expect(run.exitCode).toBe(2);
    expect(errorOf(run).message.split("\n").slice(1)).toEqual([
      "  line 3: a.example: password_env: the environment variable A_PASSWORD is not set",
      '  line 4: b.example: password_file: "secrets/b.txt" cannot be read: no such file or directory',
    ]);
    expect(cli.writes()).toEqual([]);
  });
});

/** Returns how many websites have each outcome. */
function countOutcomes(run: RunResult): Readonly<Partial<Record<string, number>>> {
  const groups = Map.groupBy(jsonOf(run) as readonly { outcome: string }[], ({ outcome }) => outcome);
  return Object.fromEntries([...groups].map(([outcome, { length }]) => [outcome, length]));
}

describe("a failure", () => {
  const many = Array.from({ length: 30 }, (_, index) => `site-${index}.example`);
  const stdin = `version: 1\nwebsites: [${many.join(", ")}]`;

  test("half-way ends with 7, and says what is done, what failed and what was not tried", async () => {
    await using served = await serveFake({ websiteLimit: 3 });
    const run = await openCli(served).run("apply - --yes", { stdin });
    expect(run.exitCode).toBe(7);
    const { created, failed, not_tried } = countOutcomes(run);
    expect(created).toBe(3);
    const counts = `(3 created, ${failed} failed, ${not_tried} not tried)`;
    expect(errorOf(run)).toMatchObject({ code: "partly_done", message: expect.stringContaining(counts) });
    expect(errorOf(run).message).toMatch(/^Stopped at site-\d\.example.*: .*limit of 3/);
  });

  test("of several changes at once names each, says its reason once, and how to go on", async ({ cli }) => {
    const detail = "The changes of this account have reached their limit. Retry the change after midnight.";
    const headers = { "retry-after": "3600" };
    const limited = { method: "POST", code: "change_limit_reached", problem: { detail }, headers, times: 8 } as const;
    cli.fake.failNext({ ...limited, times: 1 });
    const none = await cli.run("apply - --yes", { stdin });
    // The first is sent alone.
    expect(none.exitCode).toBe(6);
    expect(errorOf(none)).toMatchObject({ failed: "site-0.example", not_tried: many.slice(1) });
    await cli.add("a.example");
    cli.fake.failNext(limited);
    const update = stdin.replace("websites: [", "websites: [{domain: a.example, email: on}, ");
    const { exitCode, stdout, stderr } = await cli.run("apply - --yes -o table", { stdin: update });
    expect(exitCode).toBe(7);
    expect(`${stdout}${stderr}`.split(detail)).toHaveLength(2);
    expect(stdout).toMatch(/\n31 websites: 1 updated, (\d) failed, /);
    expect(stdout.match(/: failed$/gm)).toHaveLength(Number(/(\d) failed/.exec(stdout)?.[1]));
    expect(stderr).toMatch(/\nError: Stopped at site-0\.example: .*\nFailed: site-0\.example, site-1\.example/);
    expect(stderr).toContain("Run the command again to see and do the rest. What is done is not done again.");
  });

  test("of a website stops the plan that was agreed to; an import goes on", async ({ cli }) => {
    for (const [command, outcomes] of [
      ["apply - --yes", ["not_tried", "refused"]],
      ["import - --format yaml", ["created", "refused"]],
    ] as const) {
      cli.fake.failNext({ method: "POST", code: "validation_failed", problem: { detail: "It is not valid." } });
      const counts = countOutcomes(await cli.run(command, { stdin }));
      expect(Object.keys(counts).toSorted()).toEqual(outcomes);
      expect(counts["refused"]).toBe(1);
    }
  });
});
