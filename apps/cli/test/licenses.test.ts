import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";
import { expect, test } from "vitest";
import config from "../tsdown.config.ts";

const cli = fileURLToPath(new URL("..", import.meta.url));

test("the package contains the license of each package that is bundled in it, with its version", async () => {
  const [bundle] = await build({ ...config, config: false, cwd: cli, write: false, clean: false, logLevel: "error" });
  const files = bundle?.chunks ?? [];
  const modules = files.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
  const folders = new Set(
    modules.flatMap((module) => module.match(/^.*\/node_modules\/(@[^/]+\/)?[^/]+\//)?.[0] ?? []),
  );
  const asset = files.find(({ fileName }) => fileName === "THIRD-PARTY-NOTICES.txt");
  const licenses = asset?.type === "asset" ? String(asset.source) : "";
  expect(licenses).toContain("commander 1");
  for (const folder of folders) {
    const { name, version } = JSON.parse(readFileSync(`${folder}package.json`, "utf8"));
    const [file = "missing"] = globSync("{LICENSE,license}*", { cwd: folder });
    expect(licenses).toContain(`${name} ${version} (`);
    expect(licenses).toContain(readFileSync(`${folder}${file}`, "utf8").trim());
  }
});
