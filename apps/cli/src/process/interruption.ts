/** The signals that end the CLI, with the exit codes of shells: 128 + the number of the signal. */
const endingSignals = [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;

/**
 * What happens when the user presses Ctrl-C or the system ends the CLI. By default, the process ends at once. A command
 * that would leave its work half-done takes over while it works.
 */
export interface Interruption {
  /**
   * Until the result is disposed, the first signal only aborts `signal`. The command then starts nothing new, finishes
   * what it has sent, prints what is done, and throws `CliError("interrupted")`. The second signal ends the process at
   * once.
   */
  readonly takeOver: () => { readonly signal: AbortSignal } & Disposable;
}

/** Listens for SIGINT. SIGHUP and SIGTERM need a listener only during a takeover. */
export function createInterruption(receiver: NodeJS.Process): Interruption {
  const takenOver = new Set<AbortController>();
  receiver.on("SIGINT", () => {
    if (takenOver.size === 0) end(receiver, "SIGINT", 130);
  });
  return {
    takeOver: () => {
      const controller = new AbortController();
      const listeners = endingSignals.map(([name, exitCode]) => {
        const listener = (): void => {
          if (controller.signal.aborted) end(receiver, name, exitCode);
          controller.abort();
        };
        receiver.on(name, listener);
        return [name, listener] as const;
      });
      takenOver.add(controller);
      return {
        signal: controller.signal,
        [Symbol.dispose]: () => {
          for (const [name, listener] of listeners) receiver.off(name, listener);
          takenOver.delete(controller);
        },
      };
    },
  };
}

/**
 * Ends the process at once. An exit would wait for threads: for 10 seconds if a name server does not answer, and
 * without an end if nobody writes to a pipe that is read. So if a thread works, the signal ends it, which shells report
 * as the same exit code.
 */
function end(receiver: NodeJS.Process, name: NodeJS.Signals, exitCode: number): void {
  const isThreadBusy = receiver.getActiveResourcesInfo().some((resource) => /^(FS|GetAddrInfo)Req/.test(resource));
  if (isThreadBusy && receiver.platform !== "win32") {
    receiver.emit("exit", exitCode);
    receiver.removeAllListeners(name).kill(receiver.pid, name);
  }
  // Also if the signal has no effect, as on the first process of a container.
  receiver.exit(exitCode);
}
