import { describe, expect, test } from "vitest";
import { CliError } from "../errors/cli-error.ts";
import { StoppedError } from "../errors/stopped-error.ts";
import { describeError } from "./describe-error.ts";
import { failureJson, failureText } from "./failure-text.ts";

describe("work that stopped in the middle is reported as its cause, with what failed and what was not tried", () => {
  const cause = new CliError("not_found", "No website has the domain b.example.", "List your websites.");

  async function stop(notTried: readonly string[]) {
    return await describeError(new StoppedError(cause, { failed: "b.example", notTried }));
  }

  test("as JSON", async () => {
    const failure = await stop(["c.example", "d.example"]);
    expect(failure.exitCode).toBe(3);
    expect(JSON.parse(failureJson(failure))).toEqual({
      error: {
        code: "not_found",
        message: "No website has the domain b.example.",
        next: "List your websites.",
        failed: "b.example",
        not_tried: ["c.example", "d.example"],
      },
    });
  });

  test.each([
    [0, "Failed: b.example."],
    [2, "Failed: b.example. Not tried: 1.example, 2.example."],
    [
      21,
      "Failed: b.example. " +
        `Not tried: ${Array.from({ length: 20 }, (_, at) => `${at + 1}.example`).join(", ")} and 1 more.`,
    ],
  ])("as text, with %i that were not tried", async (count, line) => {
    const failure = await stop(Array.from({ length: count }, (_, index) => `${index + 1}.example`));
    expect(failureText(failure, false)).toBe(
      `Error: No website has the domain b.example.\n${line}\nList your websites.\n`,
    );
  });

  test("without what failed, after an interruption", async () => {
    const failure = await describeError(
      new StoppedError(new CliError("interrupted", "Interrupted."), { notTried: ["c.example"] }),
    );
    expect(failure.exitCode).toBe(130);
    expect(failureText(failure, false)).toBe("Interrupted.\nNot tried: c.example.\n");
  });
});
