import { readFileSync } from "node:fs";

const listening = "0A";

/**
 * Returns the ports of the clients that are still connected to a server on this machine. A connection that the server has
 * closed has no inode, whatever the kernel still does with it.
 */
export function readClientPorts(serverPort: number): Set<number> {
  const lines = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((path) => readLines(path).slice(1));
  const rows = lines.map((line) => line.trim().split(/\s+/));
  const held = rows.filter(
    ([, local, , state, , , , , , inode]) => portOf(local) === serverPort && state !== listening && inode !== "0",
  );
  return new Set(held.map(([, , remote]) => portOf(remote)));
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, "utf8").trim().split("\n");
  } catch {
    // The machine has no IPv6.
    return [];
  }
}

function portOf(address: string | undefined): number {
  return Number.parseInt(address?.split(":")[1] ?? "", 16);
}
