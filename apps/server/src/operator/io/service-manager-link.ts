/** How a program such as systemd is told the state of this process. */
export interface ServiceManagerLink {
  /** How long this process may be silent before it is killed. Undefined if it is not watched. */
  readonly watchdogMs: number | undefined;
  /**
   * Sends assignments such as `READY=1`, as sd_notify(3) describes them.
   *
   * @throws Error if they could not be sent
   */
  notify(...assignments: readonly string[]): Promise<void>;
}

/** A notification is sent in milliseconds, or not at all: systemd-notify itself waits for systemd for at most 5 seconds. */
const maxSendMs = 6_000;

/**
 * Finds the service manager by the variables that it sets (sd_notify(3), sd_watchdog_enabled(3)).
 *
 * @param processId the ID of this process. A variable that was meant for another process, and inherited, does not count.
 */
export function findServiceManager(
  environment: Readonly<Record<string, string | undefined>>,
  processId: number,
): ServiceManagerLink | undefined {
  if (!environment["NOTIFY_SOCKET"]) return undefined;
  const isWatched = environment["WATCHDOG_PID"] === undefined || environment["WATCHDOG_PID"] === String(processId);
  const watchdogMs = Number(environment["WATCHDOG_USEC"]) / 1000;
  return {
    watchdogMs: isWatched && watchdogMs > 0 ? watchdogMs : undefined,
    async notify(...assignments) {
      // Node has no Unix datagram sockets (https://github.com/nodejs/node/issues/61933). The program is part of systemd.
      const { execFile } = await import("node:child_process");
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const options = { env: { ...environment }, timeout: maxSendMs, killSignal: "SIGKILL" } as const;
      execFile("systemd-notify", assignments, options, (error) => (error === null ? resolve() : reject(error)));
      await promise;
    },
  };
}
