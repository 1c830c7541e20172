import { delimiter } from "node:path";

/**
 * Returns the environment of a user who has not run anything of ours yet. The package manager that runs these tests sets
 * variables that stop installs and point to its own programs. A new user's shell does not have them.
 */
export function newcomerEnvironment(added: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !isOfPackageManager(name));
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter), ...added };
}

function isOfPackageManager(name: string): boolean {
  return /^(npm_|pnpm_|vitest|turbo_|node_env$|node_path$|init_cwd$)/i.test(name) && !/registry$/i.test(name);
}
