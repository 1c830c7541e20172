import { posix, win32 } from "node:path";
import type { Io } from "../process/io.ts";

/**
 * Returns the folder of the profiles: `$SITEWARD_CONFIG_DIR`, else the configuration directory of the system (XDG Base
 * Directory Specification; `%AppData%` on Windows). A relative `$XDG_CONFIG_HOME` is ignored, as its specification
 * requires.
 */
export function configDirectory({
  env,
  platform,
  homeDirectory,
}: Pick<Io, "env" | "platform" | "homeDirectory">): string {
  const { SITEWARD_CONFIG_DIR: own = "", XDG_CONFIG_HOME: xdg = "", APPDATA: appData = "" } = env;
  if (own !== "") return own;
  if (posix.isAbsolute(xdg)) return posix.join(xdg, "siteward");
  if (platform === "win32" && appData !== "") return win32.join(appData, "siteward");
  return (platform === "win32" ? win32 : posix).join(homeDirectory, ".config", "siteward");
}
