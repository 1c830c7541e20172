import { InvalidArgumentError } from "../../errors/invalid-argument-error.ts";

/** What a file needs of the runtime. Named here as types only, so that a bundler for browsers finds no module to load. */
export interface FileSystem {
  readonly files: typeof import("node:fs/promises");
  readonly path: typeof import("node:path");
  readonly createHash: typeof import("node:crypto").createHash;
}

/** The part of `globalThis` that has built-in modules: in Node 22.3 or later, Bun and Deno. */
interface Runtime {
  readonly process?: {
    getBuiltinModule?(name: "node:fs/promises"): typeof import("node:fs/promises") | undefined;
    getBuiltinModule?(name: "node:path"): typeof import("node:path") | undefined;
    getBuiltinModule?(name: "node:crypto"): typeof import("node:crypto") | undefined;
  };
}

/**
 * Returns the modules of the runtime. Nothing loads them without a file.
 *
 * @throws InvalidArgumentError if the runtime has none
 */
export function loadFileSystem(): FileSystem {
  const { process } = globalThis as Runtime;
  const files = process?.getBuiltinModule?.("node:fs/promises");
  const path = process?.getBuiltinModule?.("node:path");
  const crypto = process?.getBuiltinModule?.("node:crypto");
  if (files === undefined || path === undefined || crypto === undefined) {
    throw new InvalidArgumentError("file must be omitted on this runtime. It needs Node 22.3 or later, Bun or Deno.");
  }
  return { files, path, createHash: crypto.createHash };
}
