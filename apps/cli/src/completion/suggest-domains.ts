import { Readable, Writable } from "node:stream";
import { toCanonicalDomain, type Website } from "@siteward/sdk";
import { connect } from "../client/connect.ts";
import { domainText } from "../output/domain-text.ts";
import type { Io } from "../process/io.ts";
import type { TypedOptions } from "./options.ts";
import type { Candidate, Position } from "./position.ts";

/** A person waits for it after each press of Tab. */
const timeLimitMs = 1_500;

/**
 * Returns the domains of the account that go on as was typed, in Unicode or in ASCII. Sends at most one request, with the key of
 * the profile that the command line or the environment names. Returns nothing after any failure, and after 1.5 seconds.
 */
export async function suggestDomains(io: Io, position: Position): Promise<readonly Candidate[]> {
  const { options } = position;
  const typed = position.typed.normalize("NFC").toLowerCase();
  const isDomain = /^[\p{L}\p{M}\p{N}.-]{0,253}$/u.test(typed);
  if (!isDomain || namesOtherKey(options)) return [];
  const signal = AbortSignal.timeout(timeLimitMs);
  const timeUp = new Promise<readonly Website[]>((resolve) => signal.addEventListener("abort", () => resolve([])));
  const websites = await Promise.race([findWebsites(io, { typed, options, signal }), timeUp]);
  const given = new Set(position.arguments.map(canonicalDomain));
  return websites.flatMap(({ id, domain }) => {
    const value = given.has(domain) ? undefined : matchingForm(domain, typed);
    return value === undefined ? [] : [{ value, description: Number.isSafeInteger(id) ? `ID ${id}` : "" }];
  });
}

/**
 * Whether flags name the key or the service that it is sent to. Such a command line is not finished and may be pasted. To press Tab must not
 * send a key to an address in it, nor read what the command will read.
 */
function namesOtherKey(options: TypedOptions): boolean {
  return ["--base-url", "--api-key-file", "--api-key-stdin"].some((name) => options.has(name));
}

interface Search {
  readonly typed: string;
  readonly options: TypedOptions;
  readonly signal: AbortSignal;
}

async function findWebsites(io: Io, { typed, options, signal }: Search): Promise<readonly Website[]> {
  try {
    const profile = options.get("--profile");
    const flags = { ...(profile !== undefined && { profile }), input: false, color: false };
    const warnings: string[] = [];
    const siteward = await connect(silence(io, warnings), flags);
    // Nobody would see what a command warns of, such as that the key is sent without encryption.
    if (warnings.length > 0) return [];
    const query = {
      per_page: 100,
      sort_by: "domain",
      sort: "asc",
      ...(typed !== "" && { search: typed }),
    } as const;
    const page = await siteward.websites.list(query, { signal, maxRetries: 0 });
    return page.data;
  } catch {
    return [];
  }
}

/** Returns the same without streams: nothing is read, and warnings are kept instead of printed. */
function silence({ env, platform, homeDirectory, interruption, runtime }: Io, warnings: string[]): Io {
  const stderr = new Writable({
    write: (chunk, _encoding, done) => {
      warnings.push(String(chunk));
      done();
    },
  });
  const [stdin, facts] = [Readable.from([]), {}];
  return { stdin, stdout: stderr, stderr, env, platform, homeDirectory, interruption, runtime, facts };
}

/** Returns the form of the domain that starts with what was typed: the one that tables show, else the one in ASCII. */
function matchingForm(domain: string, typed: string): string | undefined {
  // What is no domain could mean something to a shell.
  if (canonicalDomain(domain) !== domain) return undefined;
  return [domainText(domain), domain].find((form) => form.startsWith(typed));
}

function canonicalDomain(text: string): string | undefined {
  try {
    return toCanonicalDomain(text);
  } catch {
    return undefined;
  }
}
