import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commands } from "../src/commands/registry.ts";
import { complete } from "../src/complete/complete.ts";
import { type Shell, shells } from "../src/complete/shells.ts";
import { createProgram } from "../src/program.ts";
import { askForCompletion } from "./support/ask-for-completion.ts";
import { recordIo } from "./support/recorded-io.ts";
import { runCli } from "./support/run-cli.ts";

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
    ["completion ", Object.keys(shells)],
    ["websites delete --yes --y", []],
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

  test("nothing, after any input that no script of ours passes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string()), async (argv) => {
        const { io, written } = recordIo();
        await complete(argv, io, createProgram(io));
        expect(written()).toEqual({ stdout: "", stderr: "" });
      }),
    );
  });
});

/** Commands that print no records. */
const withoutFields: readonly string[] = ["api", "completion", "export", "schema"];

/** Arguments with which each command gets as far as its output. */
const sampleArguments: Readonly<Record<string, string>> = {
  apply: "--yes",
  import: "-",
  "profiles remove": "work",
  "profiles use": "work",
  "websites check": "7 -",
  "websites create": "example.com",
  "websites delete": "7 --yes",
  "websites get": "7 --etag",
  "websites update": "7 --email on",
};

const names = commands.flatMap((entry) =>
  "load" in entry ? entry.name : entry.commands.map(({ name }) => `${entry.name} ${name}`),
);

test.each(names)("%s: completes the fields that --fields accepts", async (name) => {
  const { stderr } = await runCli(`${name} ${sampleArguments[name] ?? ""} --fields nonsense`);
  const known = /Known fields: ([^"]*)\./.exec(stderr)?.[1]?.split(", ") ?? [];
  expect((await askForCompletion(`${name} --fields `)).values).toEqual(known);
  expect(known.length === 0).toBe(withoutFields.includes(name));
});
