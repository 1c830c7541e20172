import { closestMatch } from "leven";

/** An environment variable that looks like a setting and is none. */
interface UnknownVariable {
  readonly name: string;
  /** The known variable with the nearest name. Undefined if every name differs in more than half of the letters. */
  readonly nearest: string | undefined;
}

/**
 * Finds a misspelt environment variable: one that begins with `SITEWARD_` and that no program of Siteward reads.
 *
 * @param settings the names of the server's settings
 */
export function findUnknownVariable(
  environment: Readonly<Record<string, string | undefined>>,
  settings: readonly string[],
): UnknownVariable | undefined {
  const known = [...settings, ...elsewhere];
  const unknown = Object.entries(environment)
    .filter(([name, value]) => name.startsWith(prefix) && Boolean(value) && !known.includes(name))
    .find(([name, value = ""]) => !isSetByKubernetes(name, value) && !name.startsWith(websitePasswords));
  if (unknown === undefined) return undefined;
  const [name] = unknown;
  // Without the prefix, so that SITEWARD_DATABASE_URL is nearest to DATABASE_URL.
  const names = new Map(known.map((other) => [withoutPrefix(other), other]));
  const wanted = withoutPrefix(name);
  const nearest = closestMatch(wanted, [...names.keys()], { maxDistance: Math.floor(wanted.length / 2) });
  return { name, nearest: nearest === undefined ? undefined : names.get(nearest) };
}

const prefix = "SITEWARD_";

/** A file that the CLI exports names such a variable for the password of a website. */
const websitePasswords = "SITEWARD_PASSWORD_";

/** Variables of the CLI, and of a server's own processes. The server does not read them as settings. */
const elsewhere = [
  "SITEWARD_ALLOW_HTTP",
  "SITEWARD_API_KEY",
  "SITEWARD_BASE_URL",
  "SITEWARD_COMPLETION_WORDS",
  "SITEWARD_CONFIG_DIR",
  "SITEWARD_KEY_STORE",
  "SITEWARD_PROFILE",
  "SITEWARD_IS_WORKER",
];

/**
 * Kubernetes sets these variables in every container for each service, such as one named `siteward` or `siteward-api`:
 * https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
 */
function isSetByKubernetes(name: string, value: string): boolean {
  if (/_SERVICE_(HOST|PORT)(_[A-Z0-9_]+)?$/.test(name)) return true;
  if (/_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name)) return true;
  return name.endsWith("_PORT") && /^(tcp|udp|sctp):\/\//.test(value);
}

function withoutPrefix(name: string): string {
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}
