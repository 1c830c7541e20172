import { isIP } from "node:net";

/** Whether a string is an address or a network of proxies, or one of the names that Express knows. */
export function isProxyEntry(entry: string): boolean {
  if (["loopback", "linklocal", "uniquelocal"].includes(entry)) return true;
  const [address = "", prefix = "1", ...more] = entry.split("/");
  const maxPrefix = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return more.length === 0 && /^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= maxPrefix;
}
