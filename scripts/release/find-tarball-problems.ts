import { inEveryTarball, packageFiles } from "./package-files.ts";
import type { Manifest, PackedPackage } from "./read-tarball.ts";

/** Returns what is wrong with a packed package. Each problem starts with the name of the package. */
export function findTarballProblems(packed: PackedPackage): string[] {
  const { name, version } = packed.manifest;
  const problems = [
    ...findWrongFiles(packed),
    ...findWrongFields(packed.manifest, packed.repository.name),
    ...(packed.license === packed.repository.license ? [] : ["LICENSE is not the licence of the repository."]),
    ...(packed.readme.includes(name) ? [] : ["README.md does not name the package."]),
    ...(packed.changelog.includes(`\n## ${version}\n`) ? [] : [`CHANGELOG.md has no entry for ${version}.`]),
  ];
  return problems.map((problem) => `${name}: ${problem}`);
}

function findWrongFiles({ manifest, files, modules, imported }: PackedPackage): string[] {
  const described = packageFiles[manifest.name];
  if (described === undefined) return ["scripts/release/package-files.ts does not name this package."];
  const { names, compiledTo } = described;
  const compiled = (compiledTo ?? []).flatMap((extension) => modules.map((module) => `dist/${module}${extension}`));
  const required = new Set([...inEveryTarball, ...listFiles(manifest.exports), ...names, ...compiled]);
  const allowed = new Set([...required, ...(compiledTo === undefined ? imported : [])]);
  return [
    ...[...required].filter((file) => !files.includes(file)).map((file) => `${file} is missing.`),
    ...files
      .filter((file) => !allowed.has(file))
      .map((file) => `${file} does not belong there. Delete dist and build again, or add it to package-files.ts.`),
  ];
}

/** Lists the files that `exports` names, in the package, whatever their conditions. */
function listFiles(exports: unknown): string[] {
  if (typeof exports === "string") return [exports.replace("./", "")];
  return typeof exports === "object" && exports !== null ? Object.values(exports).flatMap(listFiles) : [];
}

function findWrongFields(manifest: Manifest, nameInRepository: string): string[] {
  const { version, description, license, repository, engines, scripts, dependencies } = manifest;
  const ranges = Object.entries(dependencies ?? {});
  const installScripts = ["preinstall", "install", "postinstall"].filter((name) => name in (scripts ?? {}));
  return [
    ...(/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version) && version !== "0.0.0" ? [] : [`${version} is not a version.`]),
    ...(description === undefined ? ["description is missing."] : []),
    ...(license === "MIT" ? [] : ["license is not MIT."]),
    ...(/^git\+https:.+\.git$/.test(repository?.url ?? "") && repository?.type === "git"
      ? []
      : ["repository is not a git URL."]),
    ...(nameInRepository === manifest.name ? [] : ["repository.directory is the folder of another package."]),
    ...(engines?.["node"] === undefined ? ["engines.node is missing."] : []),
    ...installScripts.map((name) => `the script ${name} would run on the machines of users.`),
    ...ranges
      .filter(([, range]) => /^(workspace|catalog|file|link):/.test(range))
      .map(([name, range]) => `the range of ${name} is ${range}, which no registry understands.`),
    ...ranges
      .filter(([name, range]) => name.startsWith("@siteward/") && range !== version)
      .map(([name, range]) => `the range of ${name} is ${range} instead of ${version}.`),
  ];
}
