import { Writable } from "node:stream";
import { toCanonicalDomain, type Website } from "@siteward/sdk";
import { connect } from "../client/connect.ts";
import { domainText } from "../output/domain-text.ts";
import type { Io } from "../process/io.ts";
import type { Candidate, Position } from "./position.ts";

type Flags = Parameters<typeof connect>[1];

/** A person waits for it after each press of Tab. */
const timeLimitMs = 1_500;

/**
 * Returns the domains of the account that go on as was typed, in Unicode or in ASCII. Sends at most one request, with
 * the key of the profile that the command line or the environment names. Returns nothing after any failure, and after
 * 1.5 seconds.
 */
export async function suggestDomains(io: Io, position: Position): Promise<readonly Candidate[]> {
  const flags: Flags = position.command.optsWithGlobals();
  const typed = position.typed.normalize("NFC").toLowerCase();
  const isDomain = /^[\p{L}\p{M}\p{N}.-]{0,253}$/u.test(typed);
  if (!isDomain || namesOtherKey(flags)) return [];
  // A keyring may take longer than a request.
  const timeUp = new Promise<readonly Website[]>((resolve) => setTimeout(resolve, timeLimitMs, []));
  const found = findWebsites(io, typed, flags).catch(() => []);
  const given = new Set(position.operands.map(canonicalDomain));
  return (await Promise.race([found, timeUp])).flatMap(({ id, domain }) => {
    const value = given.has(domain) ? undefined : matchingForm(domain, typed);
    return value === undefined ? [] : [{ value, description: Number.isSafeInteger(id) ? `ID ${id}` : "" }];
  });
}

/**
 * Whether flags name the key or the service that it is sent to. Such a command line is not finished and may be pasted.
 * To press Tab must not send a key to an address in it, nor read what the command will read.
 */
function namesOtherKey({ baseUrl, apiKeyFile, apiKeyStdin }: Flags): boolean {
  return (baseUrl ?? apiKeyFile ?? apiKeyStdin) !== undefined;
}

async function findWebsites(io: Io, typed: string, { profile }: Flags): Promise<readonly Website[]> {
  let hasWarning = false;
  const stderr = new Writable({
    write: (_chunk, _encoding, done) => {
      hasWarning = true;
      done();
    },
  });
  const flags = { ...(profile !== undefined && { profile }), timeout: timeLimitMs / 1000, input: false };
  const siteward = await connect(Object.create(io, { stderr: { value: stderr } }), flags);
  // Nobody would see what a command warns of, such as that the key is sent without encryption.
  if (hasWarning) return [];
  const search = typed === "" ? {} : { search: typed };
  return (await siteward.websites.list({ per_page: 100, sort_by: "domain", sort: "asc", ...search })).data;
}

/** Returns the form of the domain that starts with what was typed, as tables show it or in ASCII. */
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
