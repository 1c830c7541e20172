import { expect, test } from "vitest";
import { configDirectory } from "./profiles.ts";

const linux = { platform: "linux", homeDirectory: "/home/ada" } as const;
const windows = { platform: "win32", homeDirectory: "C:\\Users\\Ada" } as const;

test.each([
  ["its own variable first", { ...linux, env: { SITEWARD_CONFIG_DIR: "/own", XDG_CONFIG_HOME: "/xdg" } }, "/own"],
  ["then XDG", { ...linux, env: { XDG_CONFIG_HOME: "/xdg" } }, "/xdg/siteward"],
  ["not a relative XDG", { ...linux, env: { XDG_CONFIG_HOME: "xdg" } }, "/home/ada/.config/siteward"],
  ["then the home folder", { ...linux, env: {} }, "/home/ada/.config/siteward"],
  ["AppData on Windows", { ...windows, env: { APPDATA: "C:\\Roaming" } }, "C:\\Roaming\\siteward"],
  ["the home folder on Windows", { ...windows, env: {} }, "C:\\Users\\Ada\\.config\\siteward"],
])("%s", (_name, io, directory) => {
  expect(configDirectory(io)).toBe(directory);
});
