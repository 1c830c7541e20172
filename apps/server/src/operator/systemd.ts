import type { CommandContext } from "./command.ts";

/** A notification is sent in milliseconds, or not at all: systemd-notify itself waits for systemd for at most 5 seconds. */
const maxSendMs = 6_000;

/**
 * Returns what tells systemd the state of this process (sd_notify(3)), if it asks for that. The event loop of this process
 * sends the signs of life, from the moment that the server is ready. Nothing else decides whether they are sent:
 * workers that hang are replaced without help, and a database that does not answer does not come back by a restart.
 */
export function notifySystemd({ environment, note }: Pick<CommandContext, "environment" | "note">) {
  let last: Promise<Error | null> = Promise.resolve(null);
  /** Sends each state after the one before it. The first failure is noted. */
  const send = (state: string) => {
    if (!environment["NOTIFY_SOCKET"]) return;
    last = last.then(async (before) => {
      const error = await runSystemdNotify(environment, state);
      if (error !== null && before === null)
        note(`The service manager could not be notified with systemd-notify: ${error}.`);
      return error;
    });
  };
  return {
    ready: () => {
      send("READY=1");
      const watchdogMs = Number(environment["WATCHDOG_USEC"]) / 1000;
      // Twice in the time, as sd_watchdog_enabled(3) recommends.
      if (watchdogMs > 0) setInterval(() => send("WATCHDOG=1"), watchdogMs / 2).unref();
    },
    stopping: () => send("STOPPING=1"),
  };
}

/** Node has no Unix datagram sockets (https://github.com/nodejs/node/issues/61933). The program is part of systemd. */
async function runSystemdNotify(env: CommandContext["environment"], state: string): Promise<Error | null> {
  const { execFile } = await import("node:child_process");
  const options = { env, timeout: maxSendMs, killSignal: "SIGKILL" } as const;
  return new Promise((resolve) => execFile("systemd-notify", [state], options, resolve));
}
