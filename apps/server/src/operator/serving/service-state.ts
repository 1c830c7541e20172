import type { CommandContext } from "../io/command-context.ts";

/** What the service manager of this process is told. Without one, nothing happens. */
export interface ServiceState extends Disposable {
  /** The server answers requests. */
  ready(): void;
  /** The workers are replaced while this runs. */
  duringReload(work: () => Promise<void>): Promise<void>;
  /** The server answers no new requests. */
  stopping(): void;
}

/** What a server needs of its context to say its state. */
type Context = Pick<CommandContext, "serviceManager" | "note">;

/**
 * Begins to say the state of this server to its service manager, until it is disposed of.
 *
 * The event loop of this process sends the signs of life, from the moment that the server is ready. Nothing else decides whether
 * they are sent: workers that hang are replaced without help, and a database that does not answer does not come back by a restart.
 */
export function tellServiceManager({ serviceManager, note }: Context): ServiceState {
  if (serviceManager === undefined) return untold;
  const send = inOrder(serviceManager.notify, note);
  const { watchdogMs } = serviceManager;
  let watchdog: NodeJS.Timeout | undefined;
  let reloads = 0;
  let isListening = false;
  return {
    ready() {
      isListening = true;
      void send("READY=1");
      // Twice in the time, as sd_watchdog_enabled(3) recommends. One that is still being sent is enough.
      if (watchdogMs !== undefined)
        watchdog = setInterval(
          onlyOne(() => send("WATCHDOG=1")),
          watchdogMs / 2,
        ).unref();
    },
    async duringReload(work) {
      reloads += 1;
      if (reloads === 1 && isListening) void send("RELOADING=1");
      await work();
      reloads -= 1;
      if (reloads === 0 && isListening) void send("READY=1");
    },
    stopping() {
      isListening = false;
      void send("STOPPING=1");
    },
    [Symbol.dispose]: () => clearInterval(watchdog),
  };
}

const untold: ServiceState = {
  ready: () => undefined,
  duringReload: (work) => work(),
  stopping: () => undefined,
  [Symbol.dispose]: () => undefined,
};

type Send = (...assignments: readonly string[]) => Promise<void>;

/** Sends each notification after the one before it. The first of several failures is noted. */
function inOrder(notify: Send, note: (line: string) => void): Send {
  let last = Promise.resolve();
  let isFailing = false;
  const send: Send = async (...assignments) => {
    const failure = await notify(...assignments).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure !== undefined && !isFailing) {
      note(`The service manager could not be notified with systemd-notify: ${String(failure)}.`);
    }
    isFailing = failure !== undefined;
  };
  return (...assignments) => {
    last = last.then(() => send(...assignments));
    return last;
  };
}

/** Returns a function that does nothing while its last call is not done. */
function onlyOne(work: () => Promise<void>): () => void {
  let isWorking = false;
  return () => {
    if (isWorking) return;
    isWorking = true;
    void work().finally(() => {
      isWorking = false;
    });
  };
}
