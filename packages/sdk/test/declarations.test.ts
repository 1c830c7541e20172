import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { createConsumerProject } from "./support/consumer-project.ts";
import { type Declaration, readDeclarations } from "./support/read-declarations.ts";

const packageRoot = dirname(import.meta.dirname);
const repositoryRoot = join(packageRoot, "../..");
const entries = ["index", "unicode", "mirror", "testing"];

/** Their comments are those of `Promise`, which editors show. */
const fromPromise = /^ApiPromise\.(then|catch|finally|Symbol.toStringTag)$/;
/** The caller writes these functions, or passes a client that has them. */
const fromCaller = /^(Logger|MirrorClient|MirrorList)\./;
/** These neither throw nor send anything, or only their methods do. */
const harmless = new Set([
  "SitewardError",
  "ApiError",
  "ConnectionError",
  "TimeoutError",
  "AbortError",
  "InvalidArgumentError",
  "isApiError",
  "isSitewardError",
  "isWellFormedApiKey",
  "toUnicodeDomain",
  "Websites",
  "AccountResource",
  "WebsiteList",
  "WebsitePage",
  "WebsitePage.hasNextPage",
  "ApiPromise",
  "FakeClock.now",
  "MirrorError",
  "WebsiteMirror.byDomain",
  "WebsiteMirror.byId",
  "WebsiteMirror.close",
  "WebsiteMirror.Symbol.iterator",
]);

describe.each(entries)("the declarations of the entry %s", (entry) => {
  const { exported, hiddenTypes } = readDeclarations(join(packageRoot, `dist/${entry}.d.mts`));
  const declared = exported.filter(({ name }) => !fromPromise.test(name));
  const callable = declared.filter(
    ({ name, kind }) => ["class", "function", "method"].includes(kind) && !fromCaller.test(name),
  );
  const namesOf = (declarations: readonly Declaration[]) => declarations.map(({ name }) => name);

  test("have a comment on every export and every member", () => {
    expect(namesOf(declared.filter(({ comment }) => comment === ""))).toEqual([]);
  });

  test("have an example of each class, function and method", () => {
    expect(namesOf(callable.filter(({ comment }) => !comment.includes("@example")))).toEqual([]);
  });

  test("name the errors of each class, function and method that throws", () => {
    const throwing = callable.filter(({ name }) => !harmless.has(name));
    expect(namesOf(throwing.filter(({ comment }) => !comment.includes("@throws")))).toEqual([]);
  });

  test("mention only types that the entry exports", () => {
    expect(hiddenTypes).toEqual([]);
  });

  test("have the unit in the name of each duration", () => {
    const durations = exported.filter(
      ({ name, text }) =>
        /duration|delay|elapsed|timeout|after|reset|wait/i.test(name.split(".")[1] ?? "") && /: number\b/.test(text),
    );
    expect(namesOf(durations).filter((name) => !name.endsWith("Ms"))).toEqual([]);
  });

  test("link only to headings of files in the repository", () => {
    const { repository } = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
    const root = `${repository.url.replace(/^git\+|\.git$/g, "")}/blob/main/`;
    const links = exported.flatMap(({ comment }) => [...comment.matchAll(/\]\(([^)#]*)#?([^)]*)\)|\{@link/g)]);
    const isBroken = ([, url = "", anchor = ""]: RegExpExecArray): boolean => {
      const file = join(repositoryRoot, url.slice(root.length));
      return !url.startsWith(root) || !existsSync(file) || !anchorsOf(file).includes(anchor);
    };
    expect(links.filter(isBroken).map(([link]) => link)).toEqual([]);
  });
});

test("the examples in the comments compile against the package", { timeout: 60_000 }, async () => {
  await using project = await createConsumerProject();
  const modules = entries.map((entry) => ({
    specifier: entry === "index" ? "@siteward/sdk" : `@siteward/sdk/${entry}`,
    ...readDeclarations(join(packageRoot, `dist/${entry}.d.mts`)),
  }));
  const values = modules.map(({ specifier, exported }) => {
    const names = exported.filter(({ name, kind }) => kind !== "type" && !name.includes("."));
    return `import { ${names.map(({ name }) => name).join(", ")} } from "${specifier}";`;
  });
  const examples = modules.flatMap(({ exported }) => exported.flatMap(examplesIn));
  const files = examples.map(({ name, code }, index) => [`${index}-${name.replaceAll(/\W/g, "-")}.mts`, code]);
  expect(files.length).toBeGreaterThan(40);
  const around = ([name = "", code = ""]: string[]): [string, string] => [name, surround(values, code)];
  const options = { moduleResolution: "nodenext", types: ["node"], lib: ["es2022"] } as const;
  expect(await project.compileTexts(Object.fromEntries(files.map(around)), options)).toBe("");
});

test("an update with a domain is a compiler error that says what is wrong", { timeout: 60_000 }, async () => {
  await using project = await createConsumerProject();
  const code =
    'import { Siteward } from "@siteward/sdk"; new Siteward().websites.update(7, { domain: "example.com" });';
  const options = { moduleResolution: "nodenext", types: ["node"], lib: ["es2022"] } as const;
  const errors = await project.compileTexts({ "update.mts": code }, options);
  expect(errors).toContain(`Type '"example.com"' is not assignable to type '"cannot be changed"'.`);
});

/** Returns the examples in a comment. Each extends to the next tag. */
function examplesIn({ name, comment }: Declaration): { readonly name: string; readonly code: string }[] {
  return [...comment.matchAll(/@example\n([\s\S]*?)(?=\n@|$)/g)].map(([, code = ""]) => ({ name, code }));
}

/** Adds what an example assumes: the package is imported, and there is a client, a fake and a failed call. */
function surround(imports: readonly string[], code: string): string {
  return [
    ...imports,
    'import type { Website } from "@siteward/sdk";',
    'import type { FakeSiteward } from "@siteward/sdk/testing";',
    "declare const [siteward, fake, error]: [Siteward, FakeSiteward, unknown];",
    "declare const [apiKey, domain]: [string, string];",
    "export async function example(): Promise<unknown> {",
    code,
    "return undefined; }",
  ].join("\n");
}

/** Returns the anchors of the headings of a page, as GitHub names them, and the empty one. */
function anchorsOf(file: string): string[] {
  const headings = [...readFileSync(file, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return [
    "",
    ...headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, "")
        .replaceAll(" ", "-"),
    ),
  ];
}
