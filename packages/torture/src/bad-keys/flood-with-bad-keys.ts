import { setTimeout as sleep } from "node:timers/promises";
import { formatApiKey } from "@siteward/contract/api-key";
import { openRawConnection, type RawConnection } from "../client/raw-connection.ts";
import { writeRequest } from "../client/write-request.ts";
import type { Random } from "../random.ts";

export interface FloodOptions {
  readonly port: number;
  readonly random: Random;
  /** How many invalid keys a minute the server allows an address. */
  readonly limit: number;
  readonly count: number;
}

export interface FloodResult {
  readonly refusedByKey: number;
  readonly refusedByAddress: number;
  /** Answers that no invalid key may get, and addresses that were allowed too many. */
  readonly breaches: readonly string[];
}

const connections = 20;
/** How often each connection sends a key: together 2,000 a second, which leaves this process time to measure. */
const pauseMs = 10;
const quietAddresses = 9_990;
const loudAddresses = 10;
const maxBreaches = 20;

/** Sends invalid keys. Half of them come from 10 addresses. */
export async function floodWithBadKeys({ port, random, limit, count }: FloodOptions): Promise<FloodResult> {
  const startedAtMs = performance.now();
  const allowed = new Map<string, number>();
  const breaches: string[] = [];
  let refusedByAddress = 0;
  let left = count;
  const sendOne = async (connection: RawConnection) => {
    const address = random.chance(0.5) ? loudAddress(random) : quietAddress(random);
    const { status, headers } = await connection.send(writeBadKey(random, address));
    if (status === 401) allowed.set(address, (allowed.get(address) ?? 0) + 1);
    else if (status === 429 && headers.has("retry-after")) refusedByAddress += 1;
    else if (breaches.length < maxBreaches) breaches.push(`An invalid key was answered with ${status}.`);
  };
  const work = async () => {
    using connection = openRawConnection(port);
    while (left > 0) {
      left -= 1;
      await Promise.all([sendOne(connection), sleep(pauseMs)]);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  const refill = ((performance.now() - startedAtMs) * limit) / 60_000 + 1;
  for (const [address, times] of allowed) {
    if (times > limit + refill) breaches.push(`${times} invalid keys of ${address} were looked up.`);
  }
  const refusedByKey = [...allowed.values()].reduce((sum, times) => sum + times, 0);
  return { refusedByKey, refusedByAddress, breaches: breaches.slice(0, maxBreaches) };
}

const loudAddress = (random: Random) => `198.51.100.${random.integer(1, loudAddresses)}`;

/** Each is a network of its own. */
function quietAddress(random: Random): string {
  const number = random.integer(1, quietAddresses);
  return number % 2 === 0 ? `10.0.${number >> 8}.${number & 255}` : `2001:db8:0:${number.toString(16)}::1`;
}

/** Most keys have a valid checksum, so the server must look them up. What comes before the address is forged. */
function writeBadKey(random: Random, address: string): string {
  const secret = Array.from({ length: 32 }, () => random.pick([...base62])).join("");
  return writeRequest({
    method: "GET",
    path: "/api/v1/account",
    apiKey: random.chance(0.9) ? formatApiKey(secret) : `swk_${secret}`,
    headers: { "x-forwarded-for": `192.0.2.${random.integer(0, 255)}, ${address}` },
  });
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
