import { describe, expect, test } from "vitest";
import { keys, startFakeService } from "./support/fake-service.ts";
import { runCli } from "./support/run-cli.ts";

describe("the exit code is 5, and no change is retried, after", () => {
  test.each([
    [412, "precondition_failed", ["websites", "update", "1", "--email", "on", "--if-match", "1-1"]],
    [412, "precondition_failed", ["websites", "delete", "1", "--yes", "--if-match", "1-1"]],
    [409, "idempotency_in_progress", ["websites", "create", "a.example", "--idempotency-key", "a"]],
    [422, "idempotency_key_reused", ["websites", "create", "a.example", "--idempotency-key", "a"]],
  ])("%i %s", async (status, code, args) => {
    await using service = await startFakeService(["example.com"]);
    // A delete reads the website first.
    if (args.includes("delete")) service.answerNext("usual");
    service.answerNext({ problem: { status, code } });
    const run = await runCli(args, { env: { SITEWARD_API_KEY: keys.full, SITEWARD_BASE_URL: service.baseUrl } });
    expect(run).toMatchObject({ exitCode: 5, stdout: "" });
    expect(JSON.parse(run.stderr).error).toMatchObject({ code, status });
    expect(service.requests.filter(({ method }) => method !== "GET")).toHaveLength(1);
  });
});
