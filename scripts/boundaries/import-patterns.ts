import { relative } from "node:path/posix";
import { contains, folderOf, isDeep, isFile, type Layer } from "./layer.ts";

/**
 * Returns patterns that match what the layer may not import, for a file `depth` folders below the layer's folder.
 * They begin with everything, followed by exceptions. The last pattern that matches an import decides.
 */
export function importPatterns(layer: Layer, layers: readonly Layer[], depth: number): string[] {
  const from = `${folderOf(layer)}/${"x/".repeat(depth)}`;
  const others = layer.paths.filter((path) => !isFile(path));
  const folders = isFile(layer.path) ? others : [layer.path, ...others];
  // A file that is a layer of its own is not imported with its folder.
  const ownLayers = layers.filter(
    ({ path }) => isFile(path) && folders.some((folder) => contains({ path: folder }, path)),
  );
  return [
    "**",
    ...layer.modules.flatMap((module) => (module === "node:*" ? ["!node:*", "!node:*/*"] : [`!${module}`])),
    ...ownFolder(layer, depth),
    ...others.map((path) => `!${specifier(from, folderOf({ path }))}/${isDeep(path) ? "**/" : ""}*.ts`),
    ...ownLayers.map(({ path }) => specifier(from, path)),
    ...["**/*.test.ts", "**/*.test-d.ts"],
    ...layer.paths.filter(isFile).map((path) => `!${specifier(from, path)}`),
  ];
}

function ownFolder({ path }: Layer, depth: number): string[] {
  if (isFile(path)) return [];
  if (!isDeep(path)) return ["!./*.ts"];
  const ups = Array.from({ length: depth + 1 }, (_, steps) => "../".repeat(steps));
  return [...ups.map((up) => `!${up || "./"}**/*.ts`), `${"../".repeat(depth + 1)}**`];
}

function specifier(from: string, to: string): string {
  const path = relative(from, to);
  return path.startsWith("..") ? path : `./${path}`.replace(/\/$/, "");
}
