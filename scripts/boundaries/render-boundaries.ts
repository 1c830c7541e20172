import { importPatterns } from "./import-patterns.ts";
import { folderOf, isDeep, isFile, type Layer } from "./layer.ts";

const noLayerMessage =
  "This file belongs to no layer, so it may import nothing. Add its folder to scripts/boundaries/layers.ts, state there what it may import, and run `pnpm generate`.";

const byNameMessage =
  "Import another package by its name, through its exports, so that what is inside a package can change.";

/** A file that is deeper below its package than this may import nothing. */
const maxDepth = 5;

const testFiles = ["**/*.test.ts", "**/*.test-d.ts", "{apps,packages}/*/test/**"];
/** Files whose imports the layers restrict. Scripts start programs at addresses that they compute. */
const plainSources = ["{apps,packages}/**/*.{ts,mts,cts,tsx}"];
const configFiles = ["*.config.ts", "{apps,packages}/*/*.config.ts"];

interface Configuration {
  readonly overrides: readonly object[];
  readonly [key: string]: unknown;
}

/** Renders biome.boundaries.json: a file may import what its layer may, and a file without a layer nothing. */
export function renderBoundaries(layers: readonly Layer[]): string {
  const configuration = {
    $schema: "./node_modules/@biomejs/biome/configuration_schema.json",
    plugins: [{ path: "./scripts/boundaries/plain-imports.grit", includes: plainSources, resolutionKind: "config" }],
    linter: { rules: { style: { noProcessEnv: "error" } } },
    overrides: [
      withoutLayer(),
      // Biome takes the last override that matches a file: one file beats its folder, and a test is a test in any folder.
      ...layers
        .toSorted((one, other) => precision(one) - precision(other))
        .flatMap((layer) => overrides(layer, layers)),
      ...depths(maxDepth).map(testOverride),
      readEnvironment(layers),
    ],
  };
  return `${oneOverridePerLine(configuration)}\n`;
}

/** So that a change of one layer is a change of one line, and the file is not thousands of lines long. */
function oneOverridePerLine({ overrides, ...rest }: Configuration): string {
  const lines = overrides.map((override) => `    ${JSON.stringify(override)}`);
  return `${JSON.stringify(rest, null, 2).slice(0, -2)},\n  "overrides": [\n${lines.join(",\n")}\n  ]\n}`;
}

function withoutLayer() {
  return {
    includes: ["**/*.{ts,mts,cts,tsx}", ...configFiles.map(not)],
    linter: restrict(["**"], noLayerMessage),
  };
}

/** A test may import everything of its own package, and others by name. */
function testOverride(depth: number) {
  const below = "*/".repeat(depth);
  const up = "../".repeat(depth + 1);
  return {
    includes: [
      ...["*.test.ts", "*.test-d.ts"].map((file) => `{apps,packages}/*/${below}${file}`),
      ...(depth > 0 ? [`{apps,packages}/*/test/${"*/".repeat(depth - 1)}*.ts`] : []),
    ],
    linter: restrict(
      [`${up}**`, "@siteward/*/src/**", "@siteward/*/dist/**", `!${up}../scripts/**/*.ts`],
      byNameMessage,
    ),
  };
}

function overrides(layer: Layer, layers: readonly Layer[]) {
  const { deniedGlobals, message } = layer;
  return depths(isDeep(layer.path) ? maxDepth : 0).map((depth) => ({
    includes: [glob(layer, depth)],
    linter: restrict(importPatterns(layer, layers, depth), message, deniedGlobals),
  }));
}

function readEnvironment(layers: readonly Layer[]) {
  const readers = layers.filter((layer) => layer.readsEnvironment);
  return {
    includes: [...testFiles, ...configFiles, ...readers.map((layer) => glob(layer))],
    linter: { rules: { style: { noProcessEnv: "off" } } },
  };
}

function restrict(group: readonly string[], message: string, deniedGlobals: Layer["deniedGlobals"] = {}) {
  const noRestrictedImports = { level: "error", options: { patterns: [{ group, message }] } };
  const noRestrictedGlobals = { level: "error", options: { deniedGlobals } };
  return { rules: { style: { noRestrictedImports, noRestrictedGlobals } } };
}

/** The files of a layer: all of them, or those that are `depth` folders below it. */
function glob(layer: Layer, depth?: number): string {
  if (isFile(layer.path)) return layer.path;
  if (isDeep(layer.path) && depth === undefined) return layer.path;
  return `${folderOf(layer)}/${"*/".repeat(depth ?? 0)}*.ts`;
}

function precision({ path }: Layer): number {
  return isFile(path) ? 2 : Number(!isDeep(path));
}

function depths(max: number): number[] {
  return Array.from({ length: max + 1 }, (_, depth) => depth);
}

function not(glob: string): string {
  return `!${glob}`;
}
