import { describe, expect, test } from "vitest";
import { rawThemes } from "../src/raw/cases/index.ts";
import { judgeExchange } from "../src/raw/judge-exchange.ts";
import { readAnswers } from "../src/raw/read-answers.ts";

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
const problem = JSON.stringify({ type: "http://a/docs/errors/not_found", status: 404, code: "not_found" });
const notFound =
  "HTTP/1.1 404 Not Found\r\nContent-Type: application/problem+json; charset=utf-8\r\n" +
  `Content-Length: ${problem.length}\r\n\r\n${problem}`;

describe("readAnswers", () => {
  test("splits answers by their lengths", () => {
    const { answers, rest } = readAnswers(`HTTP/1.1 100 Continue\r\n\r\n${ok}${notFound}`, false);
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [100, ""],
      [200, "{}"],
      [404, problem],
    ]);
    expect(rest).toBe("");
  });

  test("leaves an incomplete answer in the rest", () => {
    expect(readAnswers(ok.slice(0, -1), false)).toEqual({ answers: [], rest: ok.slice(0, -1) });
    expect(readAnswers(`${ok}junk`, false).rest).toBe("junk");
  });

  test("expects no body in the answer to a HEAD", () => {
    expect(readAnswers(ok.slice(0, -2), true).answers).toHaveLength(1);
  });
});

describe("judgeExchange", () => {
  const judge = (text: string, expected: readonly (number | "end")[], hasEnded: boolean) =>
    judgeExchange(
      expected,
      { ...readAnswers(text, false), hasEnded, firstAnswerMs: 1, endMs: 1 },
      async (code) => code === "not_found",
    );
  const further = ok.replace("\r\n\r\n", "\r\nX-Request-Id: further\r\n\r\n");

  test("reports nothing for the expected answers", async () => {
    expect(await judge(notFound + further, [404], false)).toEqual([]);
    expect(await judge(ok, [200, "end"], true)).toEqual([]);
  });

  test.for([
    ["one answer too many", ok + ok + further, [200], false],
    ["a missing answer", further, [404], false],
    ["an answer that went to another request", ok + ok, [200], false],
    ["an open connection", ok, [200, "end"], false],
    ["an unknown code", notFound.replace('"code":"not_found"', '"code":"not_fount"') + further, [404], false],
    ["an error that is not a problem", notFound.replace("problem+json", "x-problem+json") + further, [404], false],
    ["bytes that are not an answer", `${ok}junk`, [200, "end"], true],
  ] as const)("reports %s", async ([, text, expected, hasEnded]) => {
    expect(await judge(text, expected, hasEnded)).not.toEqual([]);
  });
});

test("every raw case defines what must come back", () => {
  const cases = Object.values(rawThemes).flatMap((theme) => Object.values(theme));
  expect(cases.filter(([, expected]) => expected.length === 0)).toEqual([]);
});
