import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { AppError, databaseBusy, outcomeUnknown } from "@siteward/service";
import { InstallationError, reasonOf } from "../interface/installation-error.ts";
import { Batches, type Outcomes } from "./batches.ts";

/** What the main thread sends: a batch of changes, after the one before was answered, or the request to end. */
export type ThreadRequest = readonly Call[] | "close";

/** The changes that the thread makes. Arguments and results are plain data. */
type Changes = Readonly<Record<string, (argument: never) => Promise<unknown>>>;

/** Makes a change by name. */
export type CallChange<Made extends Changes> = <Name extends keyof Made & string>(
  name: Name,
  argument: Parameters<Made[Name]>[0],
) => ReturnType<Made[Name]>;

interface Call {
  readonly name: string;
  readonly argument: unknown;
}

interface WriterThreadOptions {
  readonly databaseUrl: string;
  /** Called if the thread ends by itself, with the reason. After that, nothing can be stored. */
  readonly onFailure: (reason: unknown) => void;
  readonly program: URL;
}

/** A sync of the disk takes as long for one change as for as many as wait. */
const maxBatchSize = 128;

/** Changes leave little behind. Without this, the thread can keep 128 MB for it. */
const maxYoungGenerationSizeMb = 12;

/**
 * Starts a thread that writes to the database. With an embedded engine, whoever writes waits for the disk: on the main
 * thread, every read would wait too.
 *
 * @throws InstallationError `cannot_open`
 */
export async function startWriterThread<Made extends Changes>(options: WriterThreadOptions) {
  const { onFailure, program, databaseUrl } = options;
  const thread = new Worker(program, { workerData: databaseUrl, resourceLimits: { maxYoungGenerationSizeMb } });
  await untilOpen(thread);
  let answer: PromiseWithResolvers<Outcomes<unknown>> | undefined;
  let end: { readonly reason: unknown } | undefined;
  const batches = new Batches<Call, unknown>({
    maxSize: maxBatchSize,
    async send(batch) {
      if (end !== undefined) throw databaseBusy(end.reason);
      answer = Promise.withResolvers();
      thread.postMessage(batch satisfies ThreadRequest);
      return await answer.promise;
    },
  });
  let isClosing = false;
  const fail = (reason: unknown) => {
    if (end !== undefined) return;
    end = { reason };
    // The thread may have stored what it did not answer.
    answer?.reject(outcomeUnknown(reason));
    if (!isClosing) onFailure(reason);
  };
  thread.on("message", (outcomes: Outcomes<unknown>) => answer?.resolve(outcomes.map(unpackOutcome)));
  thread.on("error", fail);
  thread.on("exit", () => fail(new Error("The thread that writes to the database has ended.")));
  // The cast is safe: the thread answers with the result of the change with this name.
  const call: CallChange<Made> = (name, argument) =>
    batches.run(0, { name, argument }) as ReturnType<Made[typeof name]>;
  return {
    call,
    load: () => ({ waitingWrites: batches.size }),
    /** Waits for the changes that were begun, and closes the database of the thread. */
    async close() {
      await batches.end(new Error("The storage is closed."));
      if (end !== undefined) return;
      isClosing = true;
      const ended = once(thread, "exit");
      thread.postMessage("close" satisfies ThreadRequest);
      await ended;
    },
  };
}

/**
 * Returns an outcome in a form that can be sent between threads: of errors with a class or fields of their own, only
 * the message would.
 */
export function packOutcome(outcome: PromiseSettledResult<unknown>): PromiseSettledResult<unknown> {
  if (outcome.status === "fulfilled") return outcome;
  const { reason } = outcome;
  const failure = reason instanceof AppError ? reason.failure : undefined;
  const error = reason instanceof AppError ? reason.cause : reason;
  return { status: "rejected", reason: { failure, error, details: error instanceof Error ? { ...error } : {} } };
}

function unpackOutcome(outcome: PromiseSettledResult<unknown>): PromiseSettledResult<unknown> {
  if (outcome.status === "fulfilled") return outcome;
  const { failure, error, details } = outcome.reason;
  if (error instanceof Error) Object.assign(error, details);
  return { status: "rejected", reason: failure === undefined ? error : AppError.from(failure, error) };
}

async function untilOpen(thread: Worker): Promise<void> {
  const ended = once(thread, "exit").then(() => Promise.reject(new Error("the thread that writes has ended")));
  await Promise.race([once(thread, "message"), ended]).catch((cause) => {
    throw new InstallationError("cannot_open", `Cannot write to the database: ${reasonOf(cause)}`, cause);
  });
}
