/** The files of a package, besides those of every package. */
interface PackageFiles {
  readonly names: readonly string[];
  /**
   * The extensions of the files in `dist` that each source is compiled to. A package without them is bundled, and contains what its
   * files in `dist` import from there.
   */
  readonly compiledTo?: readonly string[];
}

export const inEveryTarball: readonly string[] = ["CHANGELOG.md", "LICENSE", "README.md", "package.json"];

/** A tarball contains exactly these files. `pnpm release` publishes nothing that has another, and nothing that lacks one. */
export const packageFiles: Readonly<Record<string, PackageFiles>> = {
  "@siteward/contract": { names: ["openapi.json"], compiledTo: [".js", ".d.ts"] },
  "@siteward/sdk": { names: bundle("index") },
  "@siteward/cli": { names: ["bin/siteward.js"], compiledTo: [".js"] },
  "@siteward/server": {
    names: ["bin/siteward-server.js", "dist/compile-cache.js", "dist/main.js", "dist/run-writer-thread.js"],
  },
};

function bundle(entry: string): string[] {
  return [".mjs", ".cjs", ".d.mts", ".d.cts"].map((extension) => `dist/${entry}${extension}`);
}
