/** The files of a package, besides those of every package and those that its `exports` name. */
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
  "@siteward/contract": { names: [], compiledTo: [".js", ".d.ts"] },
  "@siteward/sdk": { names: [] },
  "@siteward/rules": { names: [] },
  "@siteward/cli": {
    names: [
      ...bin("siteward"),
      "dist/bin.cjs",
      "dist/compile-cache.cjs",
      "dist/describe-old-node.cjs",
      "dist/keyring-process.cjs",
      "dist/THIRD-PARTY-NOTICES.txt",
    ],
  },
  "@siteward/server": {
    names: [
      ...bin("siteward-server", "start"),
      "dist/compile-cache.js",
      "dist/describe-old-node.cjs",
      "dist/main.js",
      ...apiPage(),
      "dist/run-backup-thread.js",
      "dist/run-writer-thread.js",
    ],
  },
};

/** What the server serves at `/docs`, and the licences of what is in it. */
function apiPage(): string[] {
  const compressed = ["page.css", "start.js", "swagger-ui-bundle.js", "swagger-ui.css"].map((name) => `${name}.gz`);
  return ["THIRD-PARTY-NOTICES.txt", "index.html", ...compressed].map((name) => `dist/page/${name}`);
}

function bin(...names: readonly string[]): string[] {
  return names.map((name) => `bin/${name}.js`).concat("bin/package.json");
}
