import { describe, expect, test } from "vitest";
import { writesTo } from "./support/apply-file.ts";
import { type RunResult, runCli } from "./support/run-cli.ts";
import { type ServedFake, serveFake } from "./support/serve-fake.ts";

const domains = Array.from({ length: 12 }, (_, index) => `site-${index}.example`);
const file = `version: 1\nwebsites: [${domains.join(", ")}]`;

/** Runs a command with the file on standard input, one change at a time. */
async function run({ env }: ServedFake, command: readonly string[], apiKey?: string): Promise<RunResult> {
  const key = apiKey === undefined ? {} : { SITEWARD_API_KEY: apiKey };
  const args = [...command, "--parallel", "1", "--retries", "0"];
  return await runCli(args, { env: { ...env, ...key }, stdin: file });
}

function outcomesOf({ stdout }: RunResult): readonly string[] {
  return JSON.parse(stdout).map(({ outcome }: { readonly outcome: string }) => outcome);
}

// An apply does the plan that was agreed to, or stops. An import does what it can.
describe.each([
  { name: "import", command: ["import", "-", "--format", "yaml"], afterRefusal: "created" },
  { name: "apply", command: ["apply", "-", "--yes"], afterRefusal: "not_tried" },
])("siteward $name", ({ command, afterRefusal }) => {
  test("fails at a key that is revoked in the middle, and tries nothing else; a new key does the rest", async () => {
    await using served = await serveFake();
    const { fake } = served;
    const first = fake.createApiKey();
    fake.delayNext({ method: "POST", delayMs: 100, times: domains.length });
    const running = run(served, command, first);
    while (writesTo(fake).length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    fake.revokeApiKey(first);
    const revoked = await running;
    expect(revoked.exitCode).toBe(7);
    const outcomes = outcomesOf(revoked);
    const created = outcomes.filter((outcome) => outcome === "created");
    expect(created).toHaveLength(fake.websites.length);
    expect(outcomes).toEqual([
      ...created,
      "failed",
      ...Array<string>(domains.length - created.length - 1).fill("not_tried"),
    ]);
    expect(JSON.parse(revoked.stderr).error).toMatchObject({
      code: "partly_done",
      message: expect.stringContaining("1 failed"),
    });
    expect((await run(served, command)).exitCode).toBe(0);
    expect(fake.websites.map(({ domain }) => domain)).toEqual(domains);
  });

  test("refuses the website that an error is about", async () => {
    await using served = await serveFake();
    served.fake.failNext({ method: "POST", code: "validation_failed", problem: { detail: "It is not valid." } });
    const [first, ...others] = outcomesOf(await run(served, command));
    expect(first).toBe("refused");
    expect(new Set(others)).toEqual(new Set([afterRefusal]));
  });
});
