import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";
import { expect, test } from "vitest";
import config from "../tsdown.config.ts";

const cli = fileURLToPath(new URL("..", import.meta.url));

test("the package contains the license of each package that is bundled in it, with its version", async () => {
  const [bundle] = await build({ ...config, config: false, cwd: cli, write: false, clean: false, logLevel: "error" });
  const asset = bundle?.chunks.find(({ fileName }) => fileName === "LICENSES.txt");
  const licenses = asset?.type === "asset" ? String(asset.source) : "";
  // The build fails if the bundle contains a package that is not in this list.
  const bundled = config.deps?.onlyBundle;
  expect(bundled).toContain("commander");
  for (const name of Array.isArray(bundled) ? bundled.map(String) : []) {
    const folder = fileURLToPath(new URL(`../node_modules/${name}/`, import.meta.url));
    const { version } = JSON.parse(readFileSync(`${folder}package.json`, "utf8"));
    const [file = "missing"] = globSync("LICENSE*", { cwd: folder });
    expect(licenses).toContain(`${name} ${version} (`);
    expect(licenses).toContain(readFileSync(`${folder}${file}`, "utf8").trim());
  }
});
