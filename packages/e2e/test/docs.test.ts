import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorCodes } from "@siteward/contract";
import { describe, expect, test } from "vitest";
import { serverBin, startBuiltServer } from "./support/built-server.ts";
import { compileExamples } from "./support/compile-examples.ts";
import { documentedPages as pages, repositoryRoot as root } from "./support/documented-pages.ts";
import { readExamples } from "./support/read-examples.ts";
import { slugOf } from "./support/slug-of.ts";

const folders = [
  "",
  "packages/contract/src",
  "packages/sdk/src",
  "apps/server/src",
  "apps/server/src/door",
  "apps/server/src/storage",
  "apps/server/src/storage/dialects",
  "apps/cli/src",
];
/** Files of the user and of a running server, which are not in the repository. */
const elsewhere = new Set(["profiles.json", "openapi.json", "siteward.yaml"]);
const npmCommands = new Set(["install", "add", "exec", "dlx"]);

describe.for(pages)("%s", (page) => {
  const text = readFileSync(join(root, page), "utf8");

  test("every link within the repository has a target", () => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map((match) => match[1] ?? "");
    expect(links.filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
  });

  test("every heading that it links to exists", () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)];
    const missing = links.filter(([, file = "", anchor = ""]) => !headingsOf(page, file).map(slugOf).includes(anchor));
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  test("every heading that it names next to a link is in the linked page", () => {
    const references = [...text.matchAll(/"([^"\n]+)"\s+in\s+\[[^\]]+\]\((?!https?:)([^)#]*)(?:#[^)]*)?\)/g)];
    const missing = references.filter(([, heading = "", file = ""]) => !headingsOf(page, file).includes(heading));
    expect(missing.map(([reference]) => reference)).toEqual([]);
  });

  test("every path that it names exists", () => {
    const paths = [...text.matchAll(/`([\w./-]+\/[\w./-]+|[\w-]+\.(?:ts|json|md|yaml))`/g)].map(
      (match) => match[1] ?? "",
    );
    const isMissing = (path: string) => !folders.some((folder) => existsSync(join(root, folder, path)));
    expect(paths.filter(isRepositoryPath).filter(isMissing)).toEqual([]);
  });

  test("every pnpm script that it names exists", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const names = [...text.matchAll(/\bpnpm (?:--silent )?([a-z][\w:-]*)/g)].map((match) => match[1] ?? "");
    expect(names.filter((name) => !(name in scripts) && !npmCommands.has(name))).toEqual([]);
  });
});

test("the TypeScript examples of each page compile in order under the strictest flags", { timeout: 60_000 }, () => {
  const examples = new Map(pages.map((page) => [page, readExamples(join(root, page))]));
  for (const [page, code] of examples) if (code === "") examples.delete(page);
  expect([...examples.keys()]).toContain("packages/sdk/README.md");
  expect(compileExamples(examples)).toBe("");
});

describe.for(pages.filter((page) => page.endsWith("README.md")))("%s", (page) => {
  test("says what Siteward is not", () => {
    const words = readFileSync(join(root, page), "utf8").replaceAll(/\s+/g, " ");
    expect(words).toContain("It counts no visits, sends no e-mail and shows no statistics.");
  });
});

describe("ARCHITECTURE.md", () => {
  test("states the figures of the code: each constant is in the file that its row names", () => {
    const rows = readFileSync(join(root, "ARCHITECTURE.md"), "utf8").matchAll(
      /^\|[^|]+\| `([\w/.-]+\.ts)` \|([^|]+)\|/gm,
    );
    const figures = [...rows].flatMap(([, file = "", bounds = ""]) =>
      [...bounds.matchAll(/`(\w+(?: =|:) [^`]+)`/g)].map(([, figure = ""]) => ({ file, figure })),
    );
    expect(figures.length).toBeGreaterThan(20);
    expect(figures.filter(({ file, figure }) => !readSource(file).includes(figure))).toEqual([]);
  });
});

describe("README.md", () => {
  test("is under 100 lines", () => {
    expect(readFileSync(join(root, "README.md"), "utf8").split("\n").length).toBeLessThan(100);
  });

  test("contains the test command that CI runs", () => {
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const [, prefix = "missing"] = /^(npx .*)pnpm start$/m.exec(readme) ?? [];
    expect(readme).toMatch(/^pnpm test$/m);
    expect(readFileSync(join(root, ".ci/run"), "utf8")).toContain(`${prefix}pnpm test`);
  });

  test("says the long prefix of its commands once", () => {
    expect(readFileSync(join(root, "README.md"), "utf8").match(/npx -y -p/g)).toHaveLength(1);
  });
});

describe("docs/operating.md", () => {
  test("lists exactly the settings, with their flags and defaults", () => {
    const help = execFileSync(process.execPath, [serverBin, "start", "--help"], { encoding: "utf8" }).replace(
      /\s+/g,
      " ",
    );
    const known = [...help.matchAll(/--([\w-]+) <value> .*?\(([A-Z_]+)(?:; ([^)]*))?\)/g)].map(
      ([, flag, name, value]) => [name, `--${flag}`, value ?? "empty"],
    );
    const text = readFileSync(join(root, "docs/operating.md"), "utf8");
    const documented = [...text.matchAll(/^\| `([A-Z_]+)` \| `(--[\w-]+)` \| `?([^`|]+?)`? \|/gm)].map(
      ([, ...cells]) => cells,
    );
    expect(known.length).toBeGreaterThan(5);
    expect(documented).toEqual(known);
  });
});

function readSource(path: string): string {
  const folder = folders.find((name) => existsSync(join(root, name, path))) ?? "";
  return readFileSync(join(root, folder, path), "utf8");
}

describe("docs/scaling.md", () => {
  test("lists exactly the parameters of a PostgreSQL URL", () => {
    const databaseUrl = "postgres://127.0.0.1/siteward?unheard_of=1";
    const { stderr } = spawnSync(process.execPath, [serverBin, "migrate", "--database-url", databaseUrl], {
      encoding: "utf8",
    });
    const known = /Use one of ([\w, ]+)\./.exec(stderr)?.[1]?.split(", ");
    const text = readFileSync(join(root, "docs/scaling.md"), "utf8");
    const rows = [...text.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].map((match) => match[1] ?? "");
    const documented = rows.flatMap((row) => [...row.matchAll(/\w+/g)].map(([name]) => name));
    expect(documented.toSorted()).toEqual(known);
  });
});

describe("docs/api.md", () => {
  test("every error code has a page on the server", async () => {
    await using server = await startBuiltServer();
    for (const code of Object.keys(errorCodes)) {
      const page = await fetch(`${server.url}/docs/errors/${code}`);
      expect(page.status).toBe(200);
      expect(await page.text()).toContain(code);
    }
  });
});

/** Returns the headings of the page that a link leads to, without Markdown. A link without a file leads to its own page. */
function headingsOf(page: string, file: string): string[] {
  const text = readFileSync(join(root, file === "" ? page : join(dirname(page), file)), "utf8");
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => heading.replaceAll("`", ""));
}

/** Excludes URL paths, networks, media types and package names, which look like paths. */
function isRepositoryPath(path: string): boolean {
  return (
    !path.startsWith("/") &&
    !/^[\d.]+\/\d+$/.test(path) &&
    !path.startsWith("./data") &&
    !path.startsWith("application/") &&
    !path.includes("//") &&
    !elsewhere.has(path)
  );
}
