import { createServer } from "node:net";
import { listen } from "../door/sockets/listen.ts";
import type { Cluster } from "./cluster.ts";
import { openPrimaryLink } from "./primary-link.ts";
import { ForkedWorker, failedWorkerProcess, SocketConnection } from "./worker-process.ts";

/** The program file that a worker runs, its arguments and its environment. */
interface WorkerProgram {
  readonly program: string;
  readonly commandLine: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Marks a worker, so that it differs from a server that another program started with a channel. */
const workerMark = "SITEWARD_IS_WORKER";

/**
 * Opens a cluster of Node processes. It does not use node:cluster, which closes the port with its last worker, lets
 * connections wait for a worker without a limit, and loses a connection that is sent to a worker that dies.
 */
export async function openProcessCluster({ program, commandLine, environment }: WorkerProgram): Promise<Cluster> {
  const { fork } = await import("node:child_process");
  const isWorker = environment[workerMark] !== undefined && process.send !== undefined;
  return {
    primary: isWorker ? openPrimaryLink(process) : undefined,
    async openPort(address, onConnection) {
      const server = createServer({ pauseOnConnect: true }, (socket) => onConnection(new SocketConnection(socket)));
      const port = await listen(server, address);
      return { port, close: () => void server.close() };
    },
    fork(words) {
      try {
        return new ForkedWorker(
          fork(program, [...commandLine, ...words], { env: { ...environment, [workerMark]: "1" } }),
        );
      } catch (error) {
        return failedWorkerProcess(error);
      }
    },
  };
}
