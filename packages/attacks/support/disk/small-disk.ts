import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder that can be filled up, and that contains only what an attack puts there. */
export interface SmallDisk extends Disposable {
  readonly folder: string;
  /** Fills the disk until at most `freeBytes` are left. */
  fill(freeBytes: number): void;
  /** Frees what `fill` used. */
  free(): void;
}

const mounted = new Set<string>();
process.on("exit", () => {
  for (const folder of mounted) unmount(folder);
});

/** Mounts a file system in memory, which only root can do. */
export function openSmallDisk(sizeBytes: number): SmallDisk {
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
