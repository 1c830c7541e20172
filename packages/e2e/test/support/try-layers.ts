import { relative } from "node:path/posix";
import { contains, folderOf, isDeep, isFile, type Layer } from "../../../../scripts/boundaries/layer.ts";

/** One line of source, and whether the table lets a file of the layer have it. */
interface Attempt {
  readonly source: string;
  readonly isAllowed: boolean;
}

/** A file of one layer that imports a file of each other layer and each module that the table names, one on a line. */
export interface Trial {
  readonly path: string;
  readonly attempts: readonly Attempt[];
}

/** Modules that no layer may import. */
const forbiddenModules = [
  "left-pad",
  "undici",
  "node:vm",
  "@siteward/server",
  "@siteward/cli",
  "@siteward/contract/src/domain.ts",
];

export function tryLayers(layers: readonly Layer[]): Trial[] {
  const modules = new Set(
    [...layers.flatMap((layer) => layer.modules), ...forbiddenModules].filter((name) => !name.includes("*")),
  );
  return layers.flatMap((layer) => filesOf(layer).map((path) => tryLayer(path, layer, layers, modules)));
}

function tryLayer(path: string, layer: Layer, layers: readonly Layer[], modules: ReadonlySet<string>): Trial {
  const targets = layers.flatMap(filesOf).filter((target) => target !== path);
  const newcomer = `${layer.root}/newcomer/file.ts`;
  return {
    path,
    attempts: [
      ...targets.map((target) => ({ source: importOf(path, target), isAllowed: mayImport(layer, target, layers) })),
      { source: importOf(path, newcomer), isAllowed: isDeep(layer.path) && contains(layer, newcomer) },
      { source: importOf(path, `${folderOf(layer)}/beside.test.ts`), isAllowed: false },
      ...[...modules].map((name) => ({ source: `import "${name}";`, isAllowed: mayImportModule(layer, name) })),
      { source: 'process.env["HOME"];', isAllowed: layer.readsEnvironment },
      { source: "const { env } = process;", isAllowed: mayImportModule(layer, "node:process") },
      ...Object.keys(layer.deniedGlobals).map((name) => ({ source: `${name}.toString();`, isAllowed: false })),
    ],
  };
}

function filesOf({ path }: Layer): string[] {
  if (isFile(path)) return [path];
  const folder = folderOf({ path });
  return [`${folder}/sample-file.ts`, ...(isDeep(path) ? [`${folder}/below/deeper/sample-file.ts`] : [])];
}

function mayImport(layer: Layer, target: string, layers: readonly Layer[]): boolean {
  const owner = layers.find(({ path }) => path === target) ?? layers.find((other) => contains(other, target));
  return owner === layer || (owner !== undefined && layer.paths.includes(owner.path));
}

function mayImportModule({ modules }: Layer, name: string): boolean {
  return modules.includes(name) || (name.startsWith("node:") && modules.includes("node:*"));
}

function importOf(from: string, to: string): string {
  const path = relative(from.replace(/[^/]*$/, ""), to);
  return `import "${path.startsWith(".") ? path : `./${path}`}";`;
}
