import { type Config, flagOf, nameInConfig, settings } from "./settings.ts";

export { type Config, flagOf, type SettingName, settings } from "./settings.ts";

const notASetting =
  "Unset the variable, or give it a name that does not begin with SITEWARD_. " +
  "`siteward-server start --help` lists all settings.";
export type Environment = Readonly<Record<string, string | undefined>>;
/** The options of a command line, as commander returns them: by the names of `Config`, and perhaps others. */
export type Flags = { readonly [Name in keyof Config]?: string | undefined };

/**
 * Reads the settings. A flag wins over the environment, which wins over the default.
 *
 * @returns the settings, with the default of each that is not valid, and what is wrong with each of them and with each variable that
 *   has the prefix of our settings and is unknown
 */
export function examineConfig(environment: Environment, flags: Flags = {}): { config: Config; faults: string[] } {
  const faults = Object.keys(environment)
    .filter((name) => isUnknown(name, environment[name]))
    .map((name) => `${name} is not a setting. ${notASetting}`);
  const values = Object.entries(settings).map(([name, [unset, type]]) => {
    // The cast is safe: another name is not there.
    const text = flags[nameInConfig(name) as keyof Flags] ?? (environment[name] || unset);
    const parsed = type.safeParse(text);
    if (!parsed.success) faults.push(describeFault(name, text, type.description));
    return [nameInConfig(name), parsed.success ? parsed.data : type.parse(unset)];
  });
  // The cast is safe: each value is what the type of its setting returned.
  return { config: Object.fromEntries(values) as Config, faults };
}

/** A message that quotes a password would be kept in a log. A URL of a database can contain one in any part. */
function describeFault(name: string, text: string, valid: string | undefined): string {
  const shown = name.startsWith("DATABASE") ? "not valid" : JSON.stringify(text.replace(/^.*@/s, "…@"));
  return `${name} (--${flagOf(name)}) is ${shown}. Set it to ${valid}.`;
}

/** Variables of the CLI, also for the passwords of websites, and of a server's own processes. They are no settings. */
const elsewhere =
  /^SITEWARD_(ALLOW_HTTP|API_KEY|BASE_URL|COMPLETION_WORDS|CONFIG_DIR|KEY_STORE|PASSWORD_.*|PROFILE|WORKER_SLOT)$/;
/**
 * Kubernetes sets these variables in every container for each service, such as one named `siteward` or `siteward-api`:
 * https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
 */
const ofKubernetes = /_SERVICE_(HOST|PORT)(_[A-Z0-9_]+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/;

/** Whether a variable looks like a setting, such as a misspelt one, and no program of Siteward reads it. */
function isUnknown(name: string, value: string | undefined): boolean {
  if (!name.startsWith("SITEWARD_") || !value || name in settings) return false;
  if (name.endsWith("_PORT") && /^(tcp|udp|sctp):\/\//.test(value)) return false;
  return !elsewhere.test(name) && !ofKubernetes.test(name);
}
