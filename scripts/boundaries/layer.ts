import { dirname, join } from "node:path/posix";

const noProcessMessage =
  "Accept what you need of the process as an argument. Only layers that may import node:process use it.";

/** The layers of one source folder, the highest first. */
export interface LayeredFolder {
  /** From the root of the repository. All other paths of the table are relative to it. */
  readonly root: string;
  /** The reason for the rules of all its layers. Part of every message. */
  readonly because: string;
  /** Layers by path: `http/` is a folder without its subfolders, `rows/**` a folder with them, `main.ts` one file. */
  readonly layers: Readonly<Record<string, LayerRules>>;
  /** Globals that none of its files may use, and why. */
  readonly deniedGlobals?: Readonly<Record<string, string>>;
}

interface LayerRules {
  /**
   * Layers, files, packages and built-in modules, separated by spaces. The files of a folder may always import each
   * other. Only a layer with `node:process` (or `node:*`) may use the global `process`.
   */
  readonly mayImport: string;
  /** The reason for the rules of this layer alone. Part of its message. */
  readonly because?: string;
  readonly readsEnvironment?: true;
}

/** One line of the table, with its paths from the root of the repository. */
export interface Layer {
  readonly path: string;
  readonly root: string;
  /** What it may import of the repository. */
  readonly paths: readonly string[];
  /** What it may import of packages and built-in modules. */
  readonly modules: readonly string[];
  readonly message: string;
  readonly readsEnvironment: boolean;
  readonly deniedGlobals: Readonly<Record<string, string>>;
}

/** Returns the lines of the table, the highest layer first. */
export function readLayers(table: readonly LayeredFolder[]): Layer[] {
  return table.flatMap((folder) =>
    Object.entries(folder.layers).map(([name, rules]) => readLayer(folder, name, rules)),
  );
}

function readLayer(folder: LayeredFolder, name: string, rules: LayerRules): Layer {
  const words = rules.mayImport.split(/\s+/).filter((word) => word !== "");
  const fromRoot = (path: string) => join(folder.root, path);
  return {
    path: fromRoot(name),
    root: folder.root,
    paths: words.filter(isPath).map(fromRoot),
    modules: words.filter((word) => !isPath(word)),
    message: describe(folder, name, words, rules.because),
    readsEnvironment: rules.readsEnvironment ?? false,
    deniedGlobals: { ...folder.deniedGlobals, ...(mayUseProcess(words) ? {} : { process: noProcessMessage }) },
  };
}

function mayUseProcess(words: readonly string[]): boolean {
  return words.includes("node:process") || words.includes("node:*");
}

/** Returns the folder of the layer's files. */
export function folderOf({ path }: Pick<Layer, "path">): string {
  return isFile(path) ? dirname(path) : path.replace(/\/(\*\*)?$/, "");
}

/** Returns whether a file belongs to the layer. */
export function contains(layer: Pick<Layer, "path">, file: string): boolean {
  if (isFile(layer.path)) return file === layer.path;
  return isDeep(layer.path) ? file.startsWith(`${folderOf(layer)}/`) : dirname(file) === folderOf(layer);
}

export function isFile(path: string): boolean {
  return /\.(ts|json)$/.test(path);
}

/** Returns whether a layer includes the subfolders of its folder. */
export function isDeep(path: string): boolean {
  return path.endsWith("/**");
}

function isPath(word: string): boolean {
  return isFile(word) || word.endsWith("/") || isDeep(word);
}

function describe(folder: LayeredFolder, name: string, words: readonly string[], because = ""): string {
  const own = isFile(name) ? [] : ["itself"];
  const all = [...own, ...words].join(", ") || "nothing";
  const reasons = [because, folder.because].filter((reason) => reason !== "").join(" ");
  return `${join(folder.root, name)} may import only: ${all}. ${reasons} See scripts/boundaries/layers.ts.`;
}
