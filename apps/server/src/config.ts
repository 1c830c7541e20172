import { readFileSync } from "node:fs";
import { closestMatch } from "leven";
import { type Config, flagOf, nameInConfig, settings } from "./settings.ts";

export { type Config, flagOf, type SettingName, settings } from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
/** The options of a command line, as commander returns them: by the names of `Config`, and perhaps others. */
export type Flags = { readonly [Name in keyof Config]?: string | undefined };

/**
 * Reads the settings. A flag wins over the environment, which wins over the default.
 *
 * @returns the settings, with the default of each that is not valid, and what is wrong with each of them and with each variable that
 *   looks like one of ours and is none
 */
export function examineConfig(environment: Environment, flags: Flags = {}): { config: Config; faults: string[] } {
  const cleaned = Object.entries(environment).map(([name, text]) => [name, clean(text)] as const);
  const ours = cleaned.filter(([name, text]) => text !== "" && !isOfKubernetes(name, text));
  const faults = ours.flatMap(([name]) => describeUnknown(name) ?? []);
  const texts: Environment = Object.fromEntries(ours);
  const values = Object.entries(settings).map(([name, [unset, type]]) => {
    // The cast is safe: another name is not there.
    const flag = flags[nameInConfig(name) as keyof Flags];
    const { from = name, text = unset, fault } = flag === undefined ? readVariable(name, texts) : { text: flag };
    const parsed = type.safeParse(text);
    if (fault !== undefined) faults.push(fault);
    else if (!parsed.success) faults.push(describeFault(from, flagOf(name), text, type.description));
    return [nameInConfig(name), parsed.success ? parsed.data : type.parse(unset)];
  });
  // The cast is safe: each value is what the type of its setting returned.
  return { config: Object.fromEntries(values) as Config, faults };
}

/** Docker and PowerShell keep the quotation marks, and the line ends of Windows, of a file of variables. */
function clean(text = ""): string {
  return text.trim().replace(/^(["'])(.*)\1$/, "$2");
}

/** Reads the variable of a setting, or what container platforms set: a file with a secret, and the port. */
function readVariable(name: string, texts: Environment): { from?: string; text?: string | undefined; fault?: string } {
  const [file, path] = [`${name}_FILE`, texts[`${name}_FILE`]];
  if (name === "SITEWARD_PORT" && texts[name] === undefined) return { from: "PORT", text: texts["PORT"] };
  if (!files.includes(file) || path === undefined) return { text: texts[name] };
  if (texts[name] !== undefined) return { fault: `${name} and ${file} are both set. Unset one of them.` };
  if (path.includes("://")) return { fault: `${file} is a URL. Set it to the path of a file that contains the URL.` };
  try {
    const text = clean(readFileSync(path, "utf8"));
    return text === "" ? { fault: `${file}: the file ${path} is empty. Write the URL to it.` } : { text };
  } catch (error) {
    return { fault: `${file}: the file ${path} cannot be read: ${error instanceof Error ? error.message : error}.` };
  }
}

/** A message that quotes a password would be kept in a log. A URL of a database can contain one in any part. */
function describeFault(name: string, flag: string, text: string, valid: string | undefined): string {
  const shown = name.startsWith("DATABASE") ? "not valid" : JSON.stringify(text.replace(/^.*@/s, "…@"));
  return `${name} (--${flag}) is ${shown}. Set it to ${valid}.`;
}

const files = Object.keys(settings).flatMap((name) => (name.startsWith("DATABASE") ? [`${name}_FILE`] : []));
/** Of the CLI, and of a server's own processes. */
const others = "ALLOW_HTTP API_KEY BASE_URL COMPLETION_WORDS CONFIG_DIR KEY_STORE PROFILE WORKER_SLOT".split(" ");
const known = [...Object.keys(settings), ...files, ...others.map((name) => `SITEWARD_${name}`)];

/** Says which variable is meant by one that begins with its name, or differs from it by up to two letters. */
function describeUnknown(name: string): string | undefined {
  // The CLI reads passwords of websites from variables of their own, and the edge its settings.
  if (known.includes(name) || /^SITEWARD_(PASSWORD|EDGE)_/.test(name)) return undefined;
  const written = name.toUpperCase();
  const meant = closestMatch(written, known, { maxDistance: 2 }) ?? known.findLast((ours) => written.startsWith(ours));
  if (meant === undefined && !name.startsWith("SITEWARD_")) return undefined;
  const use = meant === undefined ? "Unset it" : `Use ${meant}, or unset it`;
  return `${name} is not a setting. ${use}. \`siteward-server start --help\` lists all settings.`;
}

/**
 * Kubernetes sets these variables in every container for each service, such as one named `siteward` or `siteward-api`:
 * https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
 */
function isOfKubernetes(name: string, text: string): boolean {
  if (name.endsWith("_PORT") && /^(tcp|udp|sctp):\/\//.test(text)) return true;
  return /_SERVICE_(HOST|PORT)(_[A-Z0-9_]+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name);
}
