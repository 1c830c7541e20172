import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot as root } from "./support/documented-pages.ts";

const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));
const config = readJson("biome.json");

/** The folders of each place from the top down, and what is above all of them. */
const places = [
  ["apps/edge/src", "proxy visits peers edits", "main.ts"],
  ["apps/server/src", "operator workers metrics door auth storage limits", "main.ts app.ts"],
  ["apps/server/src/storage", "moving stores changes reads sqlite postgres engine tables interface", "../door/x.ts"],
  ["apps/cli/src", "commands complete sync visits files websites client flags output process", "main.ts program.ts"],
  ["packages/contract/src", "openapi schemas grammars", "index.ts contract.ts"],
  ["packages/service/src", "request operations", "index.ts memory-storage.ts"],
  ["packages/sdk/src", "testing mirror bulk resources request options retry answer errors", "index.ts siteward.ts"],
  ["packages/console/src", "screens table dialogs forms parts data words", "main.tsx"],
] as const;
const drivers = ["express", "pg", "node:sqlite"];
/** The folders to which these are not forbidden. */
const homes = [
  ["express", "/door/"],
  ["pg", "/postgres/"],
  ["node:sqlite", "/sqlite/"],
  ["app.ts", "/operator/"],
  ["contract.ts", "/openapi/"],
  ["siteward.ts", "/bulk/"],
  ["siteward.ts", "/mirror/"],
] as const;

test("a new file or folder imports no driver, no Express and nothing above it", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "siteward-walls-"));
  const write = (path: string, text: string) => {
    mkdirSync(join(folder.path, dirname(path)), { recursive: true });
    writeFileSync(join(folder.path, path), text);
  };
  write("biome.json", JSON.stringify({ ...config, vcs: { enabled: false } }));
  const tried: { readonly place: string; readonly name: string }[] = [];
  const add = (parent: string, above: readonly string[]) => {
    const file = `${parent}/new-${tried.length}.ts`;
    const paths = above.map((path) => relative(dirname(file), path)).map((path) => path.replace(/^(?!\.)/, "./"));
    const names = [...drivers, ...(parent.startsWith("packages/") ? ["node:fs"] : []), ...paths];
    write(file, names.map((name) => `import "${name}";\n`).join(""));
    tried.push(...names.map((name, index) => ({ place: `${file}:${index + 1}`, name })));
  };
  for (const [place, folders, files] of places) {
    const rooms = folders.split(" ").filter((name) => name !== "");
    const onDisk = globSync(`${place}/*/`, { cwd: root }).map((path) => basename(path));
    expect(rooms.toSorted()).toEqual(onDisk.toSorted());
    const owner = place.split("/", 2).join("/");
    write(`${owner}/package.json`, JSON.stringify(readJson(`${owner}/package.json`)));
    const top = files.split(" ").map((file) => join(place, file));
    const inRooms = rooms.map((room) => `${place}/${room}/x.ts`);
    add(place, top);
    add(`${place}/new`, [...top, ...inRooms]);
    for (const [index, room] of rooms.entries()) {
      add(`${place}/${room}`, [...top, ...inRooms.slice(0, index)]);
      add(`${place}/${room}/new`, [...top, ...inRooms.slice(0, index)]);
    }
  }
  const rules = ["style/noRestrictedImports", "correctness/noUndeclaredDependencies"];
  const options = ["--reporter=github", "--max-diagnostics=none", ...rules.map((rule) => `--only=${rule}`)];
  const { stdout } = spawnSync(join(root, "node_modules/.bin/biome"), ["lint", ...options], {
    cwd: folder.path,
    encoding: "utf8",
  });
  const refused = new Set(
    [...stdout.matchAll(/file=([^,]+),line=(\d+)/g)].map(
      ([, file = "", line]) => `${relative(folder.path, file)}:${line}`,
    ),
  );
  const isHome = (place: string, name: string) =>
    homes.some(([what, home]) => basename(name) === what && place.includes(home));
  const passed = tried.filter(({ place, name }) => !refused.has(place) && !isHome(place, name));
  expect(passed).toEqual([]);
});

test("each file and folder that a wall names exists", () => {
  const exists = (glob: string) => globSync(glob, { cwd: root }).length > 0;
  const missing = config.overrides.flatMap(({ includes, linter }: Wall) => {
    const names = [...JSON.stringify({ linter }).matchAll(/"!?(\.[^"]*)"/g)].map(([, name = ""]) => name);
    const near = names.map((name) => join(dirname(includes[0] ?? ""), name));
    return [...includes, ...near].flatMap(expand).filter((name) => /^(apps|packages)\//.test(name) && !exists(name));
  });
  expect(missing).toEqual([]);
});

interface Wall {
  readonly includes: readonly string[];
  readonly linter?: object;
}

/** Returns the pattern with each of the names in its braces. */
function expand(glob: string): string[] {
  const [brace, names = ""] = /\{([^}]*)\}/.exec(glob) ?? [];
  return brace === undefined ? [glob] : names.split(",").flatMap((name) => expand(glob.replace(brace, name)));
}
