import process from "node:process";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { Entry } from "@napi-rs/keyring";
import type { KeyringAnswer, KeyringRequest } from "./keyring.ts";

// A program of its own: keyring.ts says why. It gets one request, answers it and ends. The library runs in a second
// thread, so that the first one notices when the CLI is gone. Only SIGKILL ends a thread in a call that blocks.
if (isMainThread) {
  process.once("message", (request: KeyringRequest) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: request });
    thread.once("message", (answer: KeyringAnswer) => process.send?.(answer, () => process.disconnect()));
  });
  process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
} else {
  void answerRequest(workerData).then((answer) => parentPort?.postMessage(answer));
}

async function answerRequest(request: KeyringRequest): Promise<KeyringAnswer> {
  try {
    // On Linux, the library would fall back to a keyring of the kernel, which loses its entries at a restart.
    const options = { linux: { store: "secret-service" } } as const;
    const { Entry } = await import("@napi-rs/keyring");
    return { apiKey: operate(new Entry("siteward", request.entry, options), request) };
  } catch (error) {
    return { problem: describeProblem(error) };
  }
}

function operate(entry: Entry, request: KeyringRequest): string | null {
  if (request.operation === "read") return entry.getPassword();
  if (request.operation === "write") {
    entry.setPassword(request.apiKey);
    if (entry.getPassword() !== request.apiKey) throw new Error("it does not return what was stored");
  } else {
    entry.deleteCredential();
  }
  return null;
}

function describeProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isNotInstalled = "code" in error && String(error.code).endsWith("MODULE_NOT_FOUND");
  return isNotInstalled ? "the package @napi-rs/keyring is not installed" : error.message.replace(/\.$/, "");
}
