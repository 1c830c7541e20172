import { expect, test } from "vitest";
import { findServiceManager } from "./service-manager-link.ts";

const NOTIFY_SOCKET = "/run/systemd/notify";

test("a process without NOTIFY_SOCKET has no service manager", () => {
  expect(findServiceManager({ WATCHDOG_USEC: "30000000" }, 7)).toBeUndefined();
  expect(findServiceManager({ NOTIFY_SOCKET: "" }, 7)).toBeUndefined();
});

test.for([
  [{}, undefined],
  [{ WATCHDOG_USEC: "30000000" }, 30_000],
  [{ WATCHDOG_USEC: "30000000", WATCHDOG_PID: "7" }, 30_000],
  // The variables of another process, which were inherited.
  [{ WATCHDOG_USEC: "30000000", WATCHDOG_PID: "8" }, undefined],
  [{ WATCHDOG_USEC: "0" }, undefined],
  [{ WATCHDOG_USEC: "soon" }, undefined],
] as const)("process 7 with the variables %j must give a sign of life every %s ms", ([variables, watchdogMs]) => {
  expect(findServiceManager({ NOTIFY_SOCKET, ...variables }, 7)?.watchdogMs).toBe(watchdogMs);
});
