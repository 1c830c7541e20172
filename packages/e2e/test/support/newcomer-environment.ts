import { delimiter } from "node:path";

/**
 * The environment of someone who has run nothing of ours yet. The package manager that runs these tests tells its
 * children not to install and where its own programs are, which a newcomer's shell does not.
 */
export function newcomerEnvironment(added: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !isOfPackageManager(name));
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.includes("node_modules"));
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter), ...added };
}

function isOfPackageManager(name: string): boolean {
  return /^(npm_|pnpm_|vitest|turbo_|node_env$|node_path$|init_cwd$)/i.test(name) && !/registry$/i.test(name);
}
