/** How often a worker says that it lives. A beat is one short message over the channel: about 10 µs of each process. */
export const beatIntervalMs = 1000;

/**
 * A loop that answers requests turns every few milliseconds: passwords are hashed off it, and a full garbage collection of
 * its 100 MB takes less than 100 ms. Only a disk that does not take a write for so long can block a healthy one.
 */
const maxSilentBeats = 5;

/**
 * Counts how many beats in a row a worker has missed. The time is counted in looks of the watcher, not on a clock: where
 * the whole machine slept or the watcher itself was stopped, nobody has missed anything.
 */
export class Heartbeat {
  #silentBeats: number | undefined;

  /** The worker has said that it lives. It sends its first beat when it is ready; its start has a time limit of its own. */
  beat(): void {
    this.#silentBeats = 0;
  }

  /** Looks whether the worker still lives; called once per interval. Returns true if it has been silent for too long. */
  look(): boolean {
    if (this.#silentBeats === undefined) return false;
    this.#silentBeats += 1;
    return this.#silentBeats > maxSilentBeats;
  }
}
