import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { covers } from "./layout.ts";
import { listSources } from "./list-sources.ts";

/** The sources and packages of a repository. All paths are from its root. */
export interface Tree {
  readonly root: string;
  /** The text of each source file. */
  readonly files: ReadonlyMap<string, string>;
  readonly packages: readonly Package[];
  /** Returns the package that a file is in. */
  readonly packageOf: (file: string) => Package;
}

export interface Package {
  readonly folder: string;
  readonly name: string;
  /** The names of its dependencies of every kind. */
  readonly dependencies: ReadonlySet<string>;
  /** The keys of its exports, such as `./testing`. */
  readonly exports: ReadonlySet<string>;
}

/** Reads all sources and the description of each package. */
export function readTree(root: string): Tree {
  const files = new Map(listSources(root).map((file) => [file, readFileSync(join(root, file), "utf8")]));
  const descriptions = globSync("{package.json,*/package.json,*/*/package.json}", {
    cwd: root,
    exclude: ["**/node_modules"],
  });
  const packages = descriptions.map((file) => readPackage(root, dirname(file)));
  const innermost = packages.toSorted((left, right) => right.folder.length - left.folder.length);
  const whole: Package = { folder: ".", name: "", dependencies: new Set(), exports: new Set() };
  const packageOf = (file: string) => innermost.find(({ folder }) => folder === "." || covers(folder, file)) ?? whole;
  return { root, files, packages, packageOf };
}

function readPackage(root: string, folder: string): Package {
  const description = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const kinds = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
  return {
    folder,
    name: description.name,
    dependencies: new Set(kinds.flatMap((kind) => Object.keys(description[kind] ?? {}))),
    exports: new Set(Object.keys(description.exports ?? {})),
  };
}
