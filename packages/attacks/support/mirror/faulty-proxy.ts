import { setTimeout as sleep } from "node:timers/promises";
import { startProxy } from "@siteward/testing/proxy";
import type { Random } from "@siteward/testing/random";

/** What happens to the requests on their way. */
export type Weather = "fine" | "away" | "errors" | "refused key" | "slow answers" | "half answers";

/** A proxy between mirrors and a server that makes requests fail, also those that are on their way. */
export type FaultyProxy = Awaited<ReturnType<typeof startProxy>> & { weather: Weather };

const error =
  "HTTP/1.1 500 Internal Server Error\r\nconnection: close\r\ncontent-length: 22\r\n\r\n<h1>Server error</h1>\r\n";
const maxDelayMs = 2_000;

export async function startFaultyProxy(url: string, random: Random): Promise<FaultyProxy> {
  const proxy = await startProxy(url, ({ client, cut }) => ({
    sent: (bytes) => {
      if (faulty.weather === "away") cut();
      const refused = bytes.toString("latin1").replace(/Bearer \S+/, "Bearer swk_refused");
      return faulty.weather === "refused key" ? Buffer.from(refused, "latin1") : bytes;
    },
    answered: async (bytes) => {
      if (faulty.weather === "away") cut();
      if (faulty.weather === "slow answers") await sleep(random.integer(0, maxDelayMs));
      if (faulty.weather === "errors") client.end(error);
      else if (faulty.weather === "half answers") client.end(bytes.subarray(0, bytes.length / 2));
      else return bytes;
      return undefined;
    },
  }));
  const faulty: FaultyProxy = Object.assign(proxy, { weather: "fine" as const });
  return faulty;
}
