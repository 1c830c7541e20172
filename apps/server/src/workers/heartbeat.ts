/**
 * How often a worker says that it is alive. A beat is one short message over the channel, and costs each process about 10
 * µs.
 */
export const beatIntervalMs = 1000;

/**
 * The event loop of a healthy worker turns every few milliseconds: passwords are hashed in other threads, and a full
 * garbage collection of its 100 MB takes less than 100 ms. Only a disk that does not accept a write can block it this
 * long.
 */
const maxSilentBeats = 5;

/**
 * Counts how many beats in a row a worker has missed. Time is counted in checks, not on a clock: if the entire machine
 * slept, or the process that checks was stopped, no worker has missed anything.
 */
export class Heartbeat {
  #silentBeats: number | undefined;

  /** Notes that the worker is alive. The first beat comes when the worker is ready; its start has its own time limit. */
  beat(): void {
    this.#silentBeats = 0;
  }

  /**
   * Checks whether the worker is alive. Call this once in each interval.
   *
   * @returns true if the worker has been silent for too long
   */
  look(): boolean {
    if (this.#silentBeats === undefined) return false;
    this.#silentBeats += 1;
    return this.#silentBeats > maxSilentBeats;
  }
}
