import { execFileSync } from "node:child_process";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** What a packed package contains, and what of the repository it is compared with. */
export interface PackedPackage {
  readonly manifest: Manifest;
  /** Paths in the package, with slashes, sorted. */
  readonly files: readonly string[];
  readonly license: string;
  readonly readme: string;
  readonly changelog: string;
  /** The files in `dist` that another file there imports. */
  readonly imported: readonly string[];
  /** The names of the compiled modules that the sources explain, such as `schemas/website`. */
  readonly modules: readonly string[];
  readonly repository: { readonly license: string; readonly name: string };
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly license?: string;
  readonly repository?: { readonly type: string; readonly url: string; readonly directory: string };
  readonly exports?: unknown;
  readonly engines?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Unpacks the tarball into the folder and reads it. Runs in the root of the repository. */
export function readTarball(tarball: string, folder: string): PackedPackage {
  execFileSync("tar", ["-xzf", tarball, "-C", folder, "--strip-components", "1"]);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .toSorted();
  const text = (name: string) => (files.includes(name) ? readFileSync(join(folder, name), "utf8") : "");
  const manifest: Manifest = JSON.parse(text("package.json"));
  const source = manifest.repository?.directory ?? ".";
  return {
    manifest,
    files,
    license: text("LICENSE"),
    readme: text("README.md"),
    changelog: text("CHANGELOG.md"),
    imported: files.filter((file) => file.startsWith("dist/")).flatMap((file) => listImports(text(file))),
    modules: listModules(source),
    repository: {
      license: readFileSync("LICENSE", "utf8"),
      name: JSON.parse(readFileSync(join(source, "package.json"), "utf8")).name,
    },
  };
}

/** Lists what a file directly in `dist` imports from there: modules, and their declarations. */
function listImports(text: string): string[] {
  const modules = [...text.matchAll(/["'`]\.\/([\w.-]+)\.([cm]?)js["'`]/g)];
  return modules.flatMap(([, name, kind]) => [`dist/${name}.${kind}js`, `dist/${name}.d.${kind}ts`]);
}

function listModules(source: string): string[] {
  const sources = globSync("src/**/*.ts", { cwd: source, exclude: ["**/*.test.ts", "**/*.test-d.ts"] });
  return sources.map((path) => path.replaceAll(sep, "/").replace(/^src\/(.*)\.ts$/, "$1"));
}
