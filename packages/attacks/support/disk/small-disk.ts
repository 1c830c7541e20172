import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that can be filled up, and that contains only what an attack puts there. */
export interface SmallDisk extends Disposable {
  readonly folder: string;
  /** Fills the disk until at most `freeBytes` are left for a process. */
  fill(freeBytes: number, processId: number): void;
  /** Frees what `fill` used. */
  free(): void;
}

/** Opens a small file system as root, and as another user a folder in which files cannot grow. */
export function openSmallDisk(sizeBytes: number): SmallDisk {
  return process.getuid?.() === 0 ? mountSmallDisk(sizeBytes) : limitFileSizes();
}

const mounted = new Set<string>();
process.on("exit", () => {
  for (const folder of mounted) unmount(folder);
});

/** Mounts a file system in memory, which only root can do. */
export function mountSmallDisk(sizeBytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), "siteward-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${sizeBytes},mode=755`, "tmpfs", folder]);
  mounted.add(folder);
  const ballast = join(folder, "ballast");
  return {
    folder,
    fill: (freeBytes) => {
      writeUntilFull(ballast, sizeBytes);
      truncateSync(ballast, Math.max(0, statSync(ballast).size - freeBytes));
    },
    free: () => rmSync(ballast, { force: true }),
    [Symbol.dispose]: () => unmount(folder),
  };
}

/** Limits the size of files. The error is not the error of a full disk, but the same calls return it. */
function limitFileSizes(): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), "siteward-"));
  let limited: number | undefined;
  const limit = (processId: number, bytes: number | "unlimited") =>
    // Only the soft limit, so that it can be removed again.
    spawnSync("prlimit", [`--pid=${processId}`, `--fsize=${bytes}:`], { stdio: "ignore" });
  return {
    folder,
    fill: (freeBytes, processId) => {
      limited = processId;
      const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
      limit(processId, Math.max(...sizes) + freeBytes);
    },
    free: () => {
      if (limited !== undefined) limit(limited, "unlimited");
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Writes until the disk is full. The system writes as much of a chunk as there is space for. */
function writeUntilFull(file: string, maxBytes: number): void {
  const chunk = Buffer.alloc(64 * 1024);
  try {
    for (let written = 0; written <= maxBytes; written += chunk.length) writeFileSync(file, chunk, { flag: "a" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  }
}

/** Unmounts lazily, because a killed process may still be running. */
function unmount(folder: string): void {
  execFileSync("umount", ["--lazy", folder]);
  mounted.delete(folder);
  rmSync(folder, { recursive: true, force: true });
}
