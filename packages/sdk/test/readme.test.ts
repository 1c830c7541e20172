import { readFileSync } from "node:fs";
import { join } from "node:path";
import { routes } from "@siteward/contract/routes";
import { describe, expect, test } from "vitest";
import { packageRoot } from "./support/consumer-project.ts";
import { readDeclarations } from "./support/read-declarations.ts";

const readme = readFileSync(join(packageRoot, "README.md"), "utf8");
const { exported } = readDeclarations(join(packageRoot, "dist/index.d.mts"));
const mirror = readDeclarations(join(packageRoot, "dist/mirror.d.mts"));

describe("the tables of the README", () => {
  test("have every option of the client with its default", () => {
    const options = exported.filter(({ name }) => /^(SitewardOptions|WatchOptions)\./.test(name));
    const known = options.map(({ name, comment }) => [
      name.replace(/^.*\./, ""),
      /@default (.*)/.exec(comment)?.[1] ?? "",
    ]);
    const rows = tableOf("| Option | ").map(([name, , value]) => [name, value]);
    expect(known.length).toBeGreaterThan(10);
    expect(rows.toSorted()).toEqual(known.toSorted());
  });

  test("have every option of a mirror with its default", () => {
    const options = mirror.exported.filter(({ name }) => name.startsWith("MirrorOptions."));
    const known = options.map(({ name, comment }) => [
      name.replace("MirrorOptions.", ""),
      /@default (.*)/.exec(comment)?.[1] ?? "",
    ]);
    expect(tableOf("| Option of a mirror ").map(([name, , value]) => [name, value])).toEqual(known);
  });

  test("have every class of errors with its code", () => {
    const classes = exported.filter(
      ({ name, kind }) => kind === "class" && name !== "SitewardError" && name.endsWith("Error"),
    );
    const rows = tableOf("| Class ");
    expect(rows.map(([name]) => name).toSorted()).toEqual(classes.map(({ name }) => name).toSorted());
    for (const { name, text } of classes) {
      const code = /readonly code: "(\w+)"/.exec(text)?.[1] ?? expect.stringContaining("`unexpected_response`");
      expect(rows.find(([row]) => row === name)?.[1]).toEqual(code);
    }
  });

  test("have every call with its scope", () => {
    const methods = exported.filter(
      ({ name, kind }) => kind === "method" && /^(Websites|AccountResource)\./.test(name),
    );
    const known = methods.map(({ name }) => name.replace("Websites", "websites").replace("AccountResource", "account"));
    const rows = tableOf("| Call ").map(([call = "", , scope]) => [call.replace(/\(.*/, ""), scope] as const);
    expect(rows.map(([call]) => call).toSorted()).toEqual(known.toSorted());
    for (const [resource, operations] of Object.entries(routes)) {
      for (const [name, { scope }] of Object.entries(operations))
        expect(rows).toContainEqual([`${resource}.${name}`, scope]);
    }
  });
});

/** Returns the cells of a table, by the beginning of its head. A cell that is one name in backticks is that name. */
function tableOf(head: string): string[][] {
  const lines =
    readme
      .slice(readme.indexOf(`\n${head}`) + 1)
      .split("\n\n", 1)[0]
      ?.split("\n") ?? [];
  return lines.slice(2).map((line) =>
    line
      .split(/ *(?<!\\)\| ?/)
      .slice(1, -1)
      .map((cell) => cell.trim().replace(/^`([^`]*)`$/, "$1")),
  );
}
