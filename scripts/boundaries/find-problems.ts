import { dirname } from "node:path/posix";
import { contains, type Layer } from "./layer.ts";

const table = "scripts/boundaries/layers.ts";
const remedy = `State in ${table} what it may import, then run \`pnpm generate\`.`;
const exempt = /(\.test(-d)?\.ts|\.config\.ts)$|^(apps|packages)\/[^/]+\/test\//;

/** Returns what is wrong with the layers, given the source files there are: one sentence each. */
export function findProblems(layers: readonly Layer[], files: readonly string[]): string[] {
  const gone = layers.filter((layer) => !files.some((file) => contains(layer, file)));
  return [
    ...withoutLayer(layers, files).map((path) => `${path} belongs to no layer. ${remedy}`),
    ...gone.map(({ path }) => `${path} is a layer in ${table}, but no such file exists. Remove the layer.`),
    ...layers.flatMap((layer, index) => wrongImports(layer, layers, index, files)),
  ];
}

/** Folders without a layer, and files without one in folders that have layers for some files. */
function withoutLayer(layers: readonly Layer[], files: readonly string[]): string[] {
  const hasLayer = (file: string) => layers.some((layer) => contains(layer, file));
  const known = new Set(files.filter(hasLayer).map((file) => dirname(file)));
  const strays = files.filter((file) => !exempt.test(file) && !hasLayer(file));
  return [...new Set(strays.map((file) => (known.has(dirname(file)) ? file : `${dirname(file)}/`)))];
}

function wrongImports(layer: Layer, layers: readonly Layer[], index: number, files: readonly string[]): string[] {
  return layer.paths.flatMap((path) => {
    const imported = layers.find((other) => other.path === path) ?? layers.find((other) => contains(other, path));
    const isKnown = imported !== undefined || files.includes(path) || path.endsWith(".json");
    if (!isKnown) return [`${layer.path} may import ${path} in ${table}, which is not a layer. Correct the path.`];
    const isAbove = imported !== undefined && layers.indexOf(imported) <= index;
    return isAbove
      ? [`${layer.path} may import ${path} in ${table}, which is above it. A folder imports only folders below it.`]
      : [];
  });
}
