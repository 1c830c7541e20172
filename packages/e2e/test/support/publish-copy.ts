import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyRepository } from "./copy-repository.ts";
import type { LocalRegistry } from "./local-registry.ts";
import { type Ended, runIn, tryIn } from "./run-in.ts";

export const publishedFolders = [
  "packages/contract",
  "packages/sdk",
  "packages/rules",
  "apps/cli",
  "apps/server",
] as const;

/** A copy of the repository whose packages were versioned and published with its own scripts. */
export interface PublishedCopy {
  readonly folder: string;
  /** The new version of each package, by its folder. */
  readonly versions: Readonly<Record<string, string>>;
  /** The first attempt to publish, in which the tarball of the server was missing. */
  readonly interrupted: Ended;
  /** The tarballs of the second attempt. */
  readonly missing: readonly string[];
  /** An attempt before the changesets were in a version. */
  readonly early: Ended;
}

/** Versions and publishes a copy of the repository. The copy and what it packs stay in the folder `scratch`. */
export function publishCopy(registry: LocalRegistry, scratch: string): PublishedCopy {
  const folder = copyRepository(scratch);
  const pnpm = (...words: string[]) => runIn(folder, registry.publishSettings, "pnpm", ...words);
  runIn(folder, {}, "pnpm", "install", "--prefer-offline", "--frozen-lockfile", "--ignore-scripts");
  writeFileSync(join(folder, ".changeset/one-more.md"), '---\n"@siteward/sdk": minor\n---\n\nOne more call.\n');
  commit(folder, "Add a call");
  const early = release("pack", join(scratch, "early"));
  pnpm("--silent", "version-packages");
  commit(folder, "Version the packages");

  const first = packInto("first");
  renameSync(tarballIn(first, /server/), join(first, "server.tgz"));
  const interrupted = release("publish", first);
  const second = packInto("second");
  const missing = readdirSync(join(second, "packages"));
  pnpm("--silent", "release", "publish", second);
  return { folder, versions: readVersions(folder), interrupted, missing, early };

  function release(part: string, target: string): Ended {
    return tryIn(folder, registry.publishSettings, ["pnpm", "--silent", "release", part, target]);
  }

  function packInto(name: string): string {
    const target = join(scratch, name);
    pnpm("--silent", "release", "pack", target);
    return target;
  }
}

function commit(folder: string, subject: string): void {
  const author = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  runIn(folder, {}, "git", "add", "--all");
  runIn(folder, {}, "git", ...author, "commit", "--quiet", "--no-gpg-sign", "--message", subject);
}

function tarballIn(folder: string, pattern: RegExp): string {
  const name = readdirSync(join(folder, "packages")).find((file) => pattern.test(file));
  return join(folder, "packages", name ?? "missing");
}

function readVersions(folder: string): Record<string, string> {
  return Object.fromEntries(
    publishedFolders.map((name) => [
      name,
      JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8")).version,
    ]),
  );
}
