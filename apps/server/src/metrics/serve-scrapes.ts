import type { ListenAddress } from "../door/sockets/listen.ts";
import { Exposition } from "./exposition.ts";
import { listenForScrapes } from "./metrics-listener.ts";
import type { MeasuredProcesses, Snapshot } from "./series.ts";

/** Answers scrapes until it is closed. */
export interface ScrapeServer {
  /** Where Prometheus reads. */
  readonly url: string;
  /** Keeps what a process has counted that has ended. */
  retain(snapshot: Snapshot): void;
  close(): Promise<void>;
}

/**
 * Answers scrapes with what several processes have measured.
 *
 * @param read see `Exposition.render`
 * @param onFailure called with the reason if a scrape fails
 * @throws Error that names the setting to change if the system refuses the address
 */
export async function serveScrapes(
  address: ListenAddress,
  read: () => Promise<MeasuredProcesses>,
  onFailure: (error: unknown) => void,
): Promise<ScrapeServer> {
  const exposition = new Exposition();
  const { url, close } = await listenForScrapes(address, () => exposition.render(read), onFailure);
  return { url, close, retain: (snapshot) => exposition.retain(snapshot) };
}
