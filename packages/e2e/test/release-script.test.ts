import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findTarballProblems } from "../../../scripts/release/find-tarball-problems.ts";
import { inEveryTarball, packageFiles } from "../../../scripts/release/package-files.ts";
import { provenanceSettings } from "../../../scripts/release/publish-release.ts";
import type { Manifest, PackedPackage } from "../../../scripts/release/read-tarball.ts";
import { findObstacles } from "../../../scripts/release/require-releasable.ts";
import { publishedFolders } from "./support/publish-copy.ts";

const manifest: Manifest = {
  name: "@siteward/contract",
  version: "0.2.0",
  description: "A contract.",
  license: "MIT",
  repository: { type: "git", url: "git+https://example.com/siteward.git", directory: "packages/contract" },
  engines: { node: ">=22" },
  dependencies: { "@siteward/sdk": "0.2.0", yaml: "^2.9.1" },
};
const packed: PackedPackage = {
  manifest,
  files: [...inEveryTarball, "dist/index.js", "dist/index.d.ts"],
  license: "MIT License",
  readme: "# @siteward/contract",
  changelog: "# @siteward/contract\n\n## 0.2.0\n\nMore.\n",
  imported: ["dist/stale.js"],
  modules: ["index"],
  repository: { license: "MIT License", name: "@siteward/contract" },
};

describe("a release", () => {
  test("is possible if the tree is its commit and all changesets are in a version", () => {
    expect(findObstacles("", ["config.json", "README.md"])).toEqual([]);
  });

  test("is refused if a file is changed or untracked", () => {
    expect(findObstacles(" M package.json\n?? notes.txt\n", [])).toEqual([expect.stringContaining("?? notes.txt")]);
  });

  test("is refused if a changeset is in no version", () => {
    expect(findObstacles("", ["config.json", "one-more.md"])).toEqual([
      expect.stringContaining("pnpm version-packages"),
    ]);
  });

  test("has provenance only if the CI run can prove where it builds", () => {
    expect(provenanceSettings({ ACTIONS_ID_TOKEN_REQUEST_URL: "https://example.com" })).toEqual({
      NPM_CONFIG_PROVENANCE: "true",
    });
    expect(provenanceSettings({})).toEqual({});
  });
});

describe("a tarball", () => {
  test("is published if it contains what it should", () => {
    expect(findTarballProblems(packed)).toEqual([]);
  });

  const problems: [string, Partial<PackedPackage>][] = [
    ["dist/stale.js does not belong there.", { files: [...packed.files, "dist/stale.js"] }],
    [".env does not belong there.", { files: [...packed.files, ".env"] }],
    ["dist/index.js is missing.", { files: packed.files.filter((file) => file !== "dist/index.js") }],
    ["CHANGELOG.md is missing.", { files: packed.files.filter((file) => file !== "CHANGELOG.md") }],
    ["LICENSE is not the licence of the repository.", { license: "Another licence" }],
    ["README.md does not name the package.", { readme: "" }],
    ["CHANGELOG.md has no entry for 0.2.0.", { changelog: "# @siteward/contract\n\n## 0.1.0\n" }],
    ["repository.directory is the folder of another package.", { repository: { license: "MIT License", name: "" } }],
    ...Object.entries({
      "0.0.0 is not a version.": { version: "0.0.0", dependencies: {} },
      "license is not MIT.": { license: "ISC" },
      "repository is not a git URL.": { repository: { type: "git", url: "https://example.com", directory: "" } },
      "engines.node is missing.": { engines: {} },
      "the script postinstall would run on the machines of users.": { scripts: { postinstall: "node ." } },
      "the range of zod is catalog:, which no registry understands.": { dependencies: { zod: "catalog:" } },
      "the range of @siteward/sdk is ^0.2.0 instead of 0.2.0.": { dependencies: { "@siteward/sdk": "^0.2.0" } },
    }).map(([problem, fields]): [string, Partial<PackedPackage>] => [
      problem,
      { manifest: { ...manifest, ...fields }, changelog: `${packed.changelog}\n## 0.0.0\n` },
    ]),
  ];

  test.for(problems)("is refused: %s", ([problem, change]) => {
    expect(findTarballProblems({ ...packed, ...change })).toEqual([
      expect.stringContaining(`@siteward/contract: ${problem}`),
    ]);
  });

  test("of a bundle contains what its files import, and nothing else", () => {
    const server: PackedPackage = {
      ...packed,
      manifest: { ...manifest, name: "@siteward/server" },
      readme: "# @siteward/server",
      files: [...inEveryTarball, ...(packageFiles["@siteward/server"]?.names ?? []), "dist/stale.js"],
      repository: { license: "MIT License", name: "@siteward/server" },
    };
    expect(findTarballProblems(server)).toEqual([]);
    expect(findTarballProblems({ ...server, imported: [] })).toEqual([expect.stringContaining("dist/stale.js")]);
  });

  test("contains every file that its exports name, under any condition", () => {
    const exports = {
      ".": { import: { types: "./dist/index.d.mts", default: "./dist/index.js" } },
      "./a.json": "./a.json",
    };
    const exporting: PackedPackage = { ...packed, manifest: { ...manifest, exports } };
    expect(findTarballProblems(exporting)).toEqual([
      "@siteward/contract: dist/index.d.mts is missing.",
      "@siteward/contract: a.json is missing.",
    ]);
    expect(findTarballProblems({ ...exporting, files: [...packed.files, "dist/index.d.mts", "a.json"] })).toEqual([]);
  });

  test("of a package without a list of files is refused", () => {
    const unknown: PackedPackage = { ...packed, manifest: { ...manifest, name: "@siteward/new" } };
    expect(findTarballProblems(unknown)).toContain(
      "@siteward/new: scripts/release/package-files.ts does not name this package.",
    );
  });
});

describe.for(publishedFolders)("pnpm check in %s", (folder) => {
  test("runs publint, and attw if a program can import the package", () => {
    const path = new URL(`../../../${folder}/package.json`, import.meta.url);
    const { exports, scripts } = JSON.parse(readFileSync(path, "utf8"));
    const hasEntry = Object.keys(exports).some((name) => !name.endsWith(".json"));
    const steps: string[] = scripts["check:package"].split(" && ");
    expect(steps.map((step) => step.split(" ")[0])).toEqual(hasEntry ? ["publint", "attw"] : ["publint"]);
    // An entry that is excluded is not checked.
    expect(steps.join(" ")).not.toMatch(/entrypoints|ignore-rules/);
  });
});
