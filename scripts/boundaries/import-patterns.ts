import { relative } from "node:path/posix";
import { contains, folderOf, isDeep, isFile, type Layer } from "./layer.ts";

/** Patterns that match every import of a file `depth` folders below the layer's, but those that the layer may make. */
export function importPatterns(layer: Layer, layers: readonly Layer[], depth: number): string[] {
  const from = `${folderOf(layer)}/${"x/".repeat(depth)}`;
  const allowed = isFile(layer.path) ? layer.paths : [layer.path, ...layer.paths];
  const folders = allowed.filter((path) => !isFile(path));
  const files = allowed.filter(isFile);
  const ownLayers = layers.filter(
    ({ path }) => isFile(path) && folders.some((folder) => contains({ path: folder }, path)),
  );
  return [
    "**",
    ...layer.modules.flatMap((module) => (module === "node:*" ? ["!node:*", "!node:*/*"] : [`!${module}`])),
    ...ownFolder(layer, depth),
    ...folders.filter((path) => path !== layer.path).map((path) => `!${toFolder(from, path)}`),
    ...ownLayers.map(({ path }) => toFile(from, path)),
    ...["**/*.test.ts", "**/*.test-d.ts"],
    ...files.map((path) => `!${toFile(from, path)}`),
  ];
}

function ownFolder({ path }: Layer, depth: number): string[] {
  if (isFile(path)) return [];
  if (!isDeep(path)) return ["!./*.ts"];
  const ups = Array.from({ length: depth + 1 }, (_, steps) => "../".repeat(steps));
  return [...ups.map((up) => `!${up || "./"}**/*.ts`), `${"../".repeat(depth + 1)}**`];
}

function toFolder(from: string, path: string): string {
  return `${specifier(from, folderOf({ path }))}/${isDeep(path) ? "**/" : ""}*.ts`;
}

function toFile(from: string, path: string): string {
  return specifier(from, path);
}

function specifier(from: string, to: string): string {
  const path = relative(from, to);
  return path.startsWith("..") ? path : `./${path}`.replace(/\/$/, "");
}
