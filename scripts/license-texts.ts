import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Rolldown } from "tsdown";

/**
 * Writes `THIRD-PARTY-NOTICES.txt` into a bundle: the license of each package of others that the bundle contains. With "LICENSE" in
 * its name, pnpm would take it for the license of the package, and pack no other.
 */
export function licenseTexts(): Rolldown.Plugin {
  return {
    name: "license-texts",
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
      const source = [...new Set(modules.flatMap(packageFolder))]
        .map(licenseText)
        .toSorted()
        .join(`\n${"-".repeat(80)}\n\n`);
      this.emitFile({ type: "asset", fileName: "THIRD-PARTY-NOTICES.txt", source });
    },
  };
}

/** Returns the folder of the package that a module belongs to, if the package is not one of the repository. */
function packageFolder(module: string): string[] {
  return module.match(/^.*[\\/]node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+/)?.slice(0, 1) ?? [];
}

/** @throws if the package has no license text, which cannot be published in a bundle then */
function licenseText(folder: string): string {
  const { name, version, license }: Record<string, string> = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  const [file] = globSync("{LICENSE,LICENCE,license}*", { cwd: folder });
  if (file === undefined) throw new Error(`${name} has no license text.`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
}
