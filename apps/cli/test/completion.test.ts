import { describe, expect, test } from "vitest";
import { type Shell, shells } from "../src/complete/shells.ts";
import { askForCompletion } from "./support/ask-for-completion.ts";

describe("what can follow", () => {
  test.each<[typed: string, values: readonly string[]]>([
    ["prof", ["profiles"]],
    ["websites ", ["list", "get", "create", "update", "delete", "check"]],
    ["help websites de", ["delete"]],
    ["nothing ", []],
    ["websites list --s", ["--search", "--sort-by", "--sort"]],
    ["websites list --sort ", ["desc", "asc"]],
    ["websites list --sort=a", ["--sort=asc"]],
    ["--output c", ["csv"]],
    ["-o nd", ["ndjson"]],
    ["websites --output json up", ["update"]],
    ["websites update 7 --privacy p", ["public", "private", "password"]],
    ["websites update 7 --email ", ["off", "on"]],
    ["websites update 7 --exclude-params ", []],
    ["websites list --fields domain,i", ["domain,id"]],
    ["account --fields=name,em", ["--fields=name,email"]],
    ["websites check 7 - --fields visited", ["visited_url"]],
    ["completion bash --fields i", []],
    ["completion ", Object.keys(shells)],
    ["websites delete --yes --y", []],
    ["websites get --no-color --no-c", []],
    ["account -- --o", []],
    ["account -- ", []],
    ["websites list --page none --s", []],
    ["websites create ", []],
    ["websites rm 7 --ig", ["--ignore-missing"]],
  ])("siteward %s", async (typed, values) => {
    expect((await askForCompletion(typed)).values).toEqual(values);
  });

  test("flags, after the last argument", async () => {
    expect((await askForCompletion("websites get 7 ")).values).toContain("--etag");
    expect((await askForCompletion("account ")).values).toContain("--output");
  });

  test.each(["account --api-key-file ", "api PUT websites/7 --input=web"])("files: siteward %s", async (typed) => {
    expect(await askForCompletion(typed)).toMatchObject({ kind: "file", values: [] });
  });

  test.each(Object.keys(shells) as Shell[])("%s gets the same answer", async (shell) => {
    expect((await askForCompletion("websites update 7 --privacy ", {}, shell)).values).toEqual([
      "public",
      "private",
      "password",
    ]);
  });
});
