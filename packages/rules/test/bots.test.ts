import { readFileSync } from "node:fs";
import crawlers from "crawler-user-agents";
import { describe, expect, test } from "vitest";
import { compileRules } from "../src/index.ts";
import { settings, visitor } from "./support/settings.ts";

const rules = compileRules({ ...settings, exclude_bots: 1 });
const judge = (userAgent: string | undefined) => rules.judge({ ...visitor, userAgent });

/** What isbot does not know, by a part of it: most are browsers within programs, or say nothing of a bot. */
const knownMisses = [
  "Instagram 406",
  "Code/1.",
  "MetaIAB Facebook",
  "Trae/1.",
  "Fluid/0.",
  "TSM-turingos",
  "GTmetrix",
  "Miniature.io",
  "YLT Chrome",
];

test("at least 99 % of the user agents of crawler-user-agents are those of bots, and the others are known", () => {
  const userAgents = crawlers.flatMap(({ instances }) => instances);
  const missed = userAgents.filter((userAgent) => judge(userAgent).counted);
  expect(userAgents.length).toBeGreaterThan(2000);
  expect(missed.length / userAgents.length).toBeLessThan(0.01);
  expect(missed.filter((userAgent) => !knownMisses.some((part) => userAgent.includes(part)))).toEqual([]);
});

test("no user agent of 200 browsers of people is that of a bot", () => {
  const list = readFileSync(new URL("data/human-user-agents.txt", import.meta.url), "utf8");
  const userAgents = list.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect(new Set(userAgents).size).toBeGreaterThanOrEqual(200);
  expect(userAgents.filter((userAgent) => !judge(userAgent).counted)).toEqual([]);
});

describe("a bot", () => {
  test("is named with what it says and the pattern of isbot, the first time and later", () => {
    const userAgent = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
    const first = judge(userAgent);
    expect(first).toMatchObject({ counted: false, reason: "bot", rule: expect.stringContaining("google") });
    expect(first).toHaveProperty(
      "explanation",
      `The user agent "${userAgent}" is that of a bot: it has "Google", and bots are excluded.`,
    );
    expect(judge(userAgent)).toEqual(first);
  });

  test("is found in the first 512 characters, and only there", () => {
    const start = `${visitor.userAgent} ${"x".repeat(512)}`;
    expect(judge(`${start.slice(0, 508)} bot ${start}`).counted).toBe(false);
    expect(judge(`${start.slice(0, 512)} bot`).counted).toBe(true);
  });
});
