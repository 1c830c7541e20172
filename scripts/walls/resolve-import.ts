import { existsSync, realpathSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path/posix";
import type { Package, Tree } from "./read-tree.ts";

/** What an import names: a file of the repository, or a module (a package, a built-in module, a global). */
type Target =
  | { readonly file: string }
  | { readonly module: string; readonly wrong?: string }
  | { readonly wrong: string };

export const byItsName = "Import another package by its name, through its exports, so that what is inside can change.";

/** Returns what an import of a file names. */
export function resolveImport(from: string, name: string, tree: Tree): Target {
  if (/^(\/|file:)/.test(name))
    return { wrong: "names a file by its absolute path. Import it by a path from this file." };
  if (name.startsWith(".")) return resolvePath(join(dirname(from), name.replace(/[?#].*$/, "")), tree);
  return isBuiltin(name) ? { module: name } : resolvePackage(from, name, tree);
}

/** The compiler lets `./send.js` name `send.ts`. A file that is not there yet is what the build writes. */
function resolvePath(path: string, tree: Tree): Target {
  const spellings = [path, path.replace(/\.([cm]?)js$/, ".$1ts"), `${path}.ts`, join(path, "index.ts")];
  const file = spellings.find((spelling) => tree.files.has(spelling));
  if (file !== undefined) return { file };
  if (path.includes("/dist/")) return { file: path };
  if (!existsSync(join(tree.root, path))) return { wrong: `imports ${path}, which does not exist.` };
  const isLinked = realpathSync(join(tree.root, path)) !== join(realpathSync(tree.root), path);
  return isLinked ? { wrong: `imports ${path} through a symbolic link. Import the file itself.` } : { file: path };
}

function resolvePackage(from: string, module: string, tree: Tree): Target {
  const [name = ""] = /^(@[^/]+\/)?[^/]+/.exec(module) ?? [];
  const importer = tree.packageOf(from);
  const isDeclared = name === importer.name || importer.dependencies.has(name);
  const exported = tree.packages.find((candidate) => candidate.name === name)?.exports;
  if (module !== name && exported?.has(`.${module.slice(name.length)}`) === false)
    return { wrong: pastExports(module, name) };
  return isDeclared ? { module } : { module, wrong: undeclared(module, importer) };
}

function pastExports(module: string, name: string): string {
  return `imports ${module}, which the exports of ${name} do not name. ${byItsName}`;
}

function undeclared(module: string, importer: Package): string {
  const description = join(importer.folder, "package.json");
  return `imports ${module}, which ${description} does not declare. Add it to the dependencies there.`;
}
