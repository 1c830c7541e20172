import cluster, { type Worker } from "node:cluster";
import type { Logger } from "pino";
import type { LeaseAnswer, LeaseRequest } from "../limits/leased-rate-limits.ts";
import { type End, startWorker } from "./start-worker.ts";
import { beatIntervalMs, type MessageToPrimary, type MessageToWorker } from "./worker.ts";

interface SupervisorOptions {
  /** How many workers serve. */
  readonly size: number;
  readonly logger: Logger;
  /** Answers the requests of workers for tokens of rate limits. */
  readonly answerLease: (request: LeaseRequest) => LeaseAnswer;
}

/** Longer than a worker takes to finish the requests in progress and to close its database. */
const stopTimeoutMs = 15_000;
/** Longer than a replaced worker waits for its clients and then takes to stop. */
const retireTimeoutMs = 30_000;
/** A worker that has not sent its first beat by then never will start. */
const maxBeatsToStart = 60;
/**
 * The event loop of a healthy worker turns every few milliseconds: passwords are hashed in other threads, and a full
 * garbage collection of its 100 MB takes less than 100 ms. Only a disk that does not accept a write can block it this
 * long.
 */
const maxMissedBeats = 5;
/** A worker that fails to start will most likely fail again. */
const failedStartDelayMs = 2_000;

/** A worker from its start to its end. */
interface Member {
  readonly slot: number;
  readonly worker: Worker | undefined;
  readonly ended: Promise<End>;
  /** Whether it accepts connections; `false` if it ended before that. */
  readonly listens: Promise<boolean>;
  /** Whether another one serves in its place. */
  isReplaced: boolean;
  /** How many beats in a row it may still miss. */
  beatsLeft: number;
}

/**
 * Keeps a number of workers running, each in its place. node:cluster gives them connections in turn, one at a time
 * each.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #running = new Set<Member>();
  readonly #watch: NodeJS.Timeout;
  #restarted: Promise<void> = Promise.resolve();
  #isRestartWaiting = false;
  /** From when the first worker listens until this is closed. */
  #isOpen = false;

  /** @param args the arguments of each worker */
  constructor(args: string[], options: SupervisorOptions) {
    this.#options = options;
    cluster.schedulingPolicy = cluster.SCHED_RR;
    cluster.setupPrimary({ args });
    this.#watch = setInterval(() => this.#look(), beatIntervalMs);
  }

  /**
   * Starts a first worker, and the others once it has started.
   *
   * @returns how the first worker ended if it failed to start
   */
  async open(): Promise<End | undefined> {
    const first = this.#start(1);
    if (!(await first.listens)) return first.ended;
    this.#isOpen = true;
    for (let slot = 2; slot <= this.#options.size; slot += 1) this.#start(slot);
    return undefined;
  }

  /** Replaces the workers. If this is called again meanwhile, they are replaced once more. */
  restart(): void {
    if (this.#isRestartWaiting) return;
    this.#isRestartWaiting = true;
    this.#restarted = this.#restarted.then(() => {
      this.#isRestartWaiting = false;
      return this.#replaceEach();
    });
  }

  /** Lets every worker finish the requests in progress, and resolves once all of them have ended. */
  async close(): Promise<void> {
    this.#isOpen = false;
    // The last worker to close an embedded database writes its log back, which can block it for long.
    clearInterval(this.#watch);
    for (const { worker } of this.#running) worker?.process.kill("SIGTERM");
    await Promise.all([...this.#running].map((member) => this.#untilEnded(member, stopTimeoutMs)));
  }

  /**
   * Replaces the workers one at a time, each once the new one has started. If a new one fails to start, this ends, and
   * the other workers continue.
   */
  async #replaceEach(): Promise<void> {
    const { logger, size } = this.#options;
    if (this.#isOpen) logger.info("Replacing the workers one at a time.");
    for (let slot = 1; slot <= size; slot += 1) {
      if (!this.#isOpen) return;
      const next = this.#start(slot);
      const hasStarted = await next.listens;
      if (!this.#isOpen) return;
      if (!hasStarted)
        return logger.error("A new worker failed to start; the restart was stopped, and the other workers continue.");
      const old = this.#findIn(slot, next);
      if (old === undefined) continue;
      old.isReplaced = true;
      send(old.worker, { retire: true });
      await this.#untilEnded(old, retireTimeoutMs);
    }
    logger.info("Replaced all workers.");
  }

  /** Returns the worker of a place, other than one that is to replace it. Undefined while there is none. */
  #findIn(slot: number, next?: Member): Member | undefined {
    return [...this.#running].find((member) => member.slot === slot && !member.isReplaced && member !== next);
  }

  async #untilEnded({ worker, ended }: Member, timeoutMs: number): Promise<void> {
    const force = setTimeout(() => {
      this.#options.logger.warn({ worker_pid: worker?.process.pid }, "Killing a worker that did not stop in time.");
      worker?.process.kill("SIGKILL");
    }, timeoutMs);
    await ended;
    clearTimeout(force);
  }

  #start(slot: number): Member {
    const { worker, ended } = startWorker(slot);
    const listening = new Promise<true>((resolve) => worker?.once("listening", () => resolve(true)));
    const listens = Promise.race([listening, ended.then(() => false)]);
    const member: Member = { slot, worker, ended, listens, isReplaced: false, beatsLeft: maxBeatsToStart };
    this.#running.add(member);
    worker?.on("message", (message: MessageToPrimary) => {
      if ("beat" in message) member.beatsLeft = maxMissedBeats;
      else if ("lease" in message) send(worker, { lease: this.#options.answerLease(message.lease) });
    });
    void this.#watchOver(member);
    return member;
  }

  /** Notes the start and the end of a worker, and starts another one in its place. */
  async #watchOver(member: Member): Promise<void> {
    const { logger } = this.#options;
    const { slot, worker, listens, ended } = member;
    const worker_pid = worker?.process.pid;
    const hasListened = await listens;
    if (hasListened) logger.info({ worker_pid }, "A worker started.");
    const { code, signal, error } = await ended;
    this.#running.delete(member);
    const how = { worker_pid, exit_code: code, signal, err: error };
    if (member.isReplaced) logger.info(how, "A replaced worker stopped.");
    if (member.isReplaced || !this.#isOpen) return;
    // One that had listened, or that somebody ended, is replaced at once.
    const isFailedStart = !hasListened && (error !== undefined || Boolean(code));
    const delayMs = isFailedStart ? failedStartDelayMs : 0;
    logger.warn({ ...how, restart_delay_ms: delayMs }, "A worker ended unexpectedly.");
    setTimeout(() => {
      // It may have been to replace another one, or a restart has started another one.
      if (this.#isOpen && this.#findIn(slot) === undefined) this.#start(slot);
    }, delayMs).unref();
  }

  /**
   * Kills workers that hang. What they were doing is lost: the lock they may hold, and their connections. Checks are
   * counted and not a clock: if the entire machine slept, or this process was stopped, no worker has missed anything.
   */
  #look(): void {
    for (const member of this.#running) {
      member.beatsLeft -= 1;
      if (member.beatsLeft !== -1) continue;
      const { worker } = member;
      this.#options.logger.error({ worker_pid: worker?.process.pid }, "Killing a worker that does not respond.");
      // A stopped process does not react to any other signal.
      worker?.process.kill("SIGKILL");
    }
  }
}

/** The worker may have just ended. */
function send(worker: Worker | undefined, message: MessageToWorker): void {
  if (worker?.isConnected()) worker.send(message, () => undefined);
}
