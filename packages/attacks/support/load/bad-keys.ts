import { setTimeout as sleep } from "node:timers/promises";
import { generateApiKey } from "@siteward/testing/engines/account-rows";
import type { Random } from "@siteward/testing/random";
import { openRawConnection, type RawConnection } from "../client/raw-connection.ts";
import { writeRequest } from "../client/write-request.ts";

export interface BadKeyFlood {
  readonly port: number;
  readonly random: Random;
  /** How many invalid keys a minute the server allows an address. */
  readonly limit: number;
  readonly count: number;
}

const connections = 20;
/** How often each connection sends a key: together 2,000 a second, which leaves this process time to measure. */
const pauseMs = 10;
const quietAddresses = 9_999;
const loudAddress = "198.51.100.1";

/** Sends invalid keys through a proxy that reports 10,000 addresses, of which one sends half of them. */
export async function floodWithBadKeys({ port, random, limit, count }: BadKeyFlood) {
  const startedAtMs = performance.now();
  const allowed = new Map<string, number>();
  const breaches = new Set<string>();
  let [refusedByAddress, left] = [0, count];
  const sendOne = async (connection: RawConnection) => {
    const address = random.chance(0.5) ? loudAddress : quietAddress(random);
    const { status, headers } = await connection.send(writeBadKey(random, address));
    if (status === 401) allowed.set(address, (allowed.get(address) ?? 0) + 1);
    else if (status === 429 && headers.has("retry-after")) refusedByAddress += 1;
    else breaches.add(`An invalid key was answered with ${status}.`);
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
  const times = [...allowed.values()];
  const tooOften = times.filter((looked) => looked > limit + refill).length;
  if (tooOften > 0) breaches.add(`More than ${limit} invalid keys a minute of ${tooOften} addresses were looked up.`);
  return { refusedByKey: times.reduce((sum, looked) => sum + looked, 0), refusedByAddress, breaches };
}

/** Each is a network of its own. */
function quietAddress(random: Random): string {
  const number = random.integer(1, quietAddresses);
  return number % 2 === 0 ? `10.0.${number >> 8}.${number & 255}` : `2001:db8:0:${number.toString(16)}::1`;
}

/** Most keys have a valid checksum, so the server must look them up. What comes before the address is forged. */
function writeBadKey(random: Random, address: string): string {
  const key = generateApiKey();
  return writeRequest({
    method: "GET",
    path: "/api/v1/account",
    apiKey: random.chance(0.9) ? key : `${key.slice(0, -1)}!`,
    headers: { "x-forwarded-for": `192.0.2.${random.integer(0, 255)}, ${address}` },
  });
}
