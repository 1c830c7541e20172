import { expect, test } from "vitest";
import { clientAddressOf, clientNetworkOf } from "./client-network.ts";

test.for([
  // what Express found, address, network
  ["203.0.113.7", "203.0.113.7", "203.0.113.7"],
  ["203.0.113.7:50000", "203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "::ffff:203.0.113.7", "203.0.113.7"],
  ["[2001:db8:1:2::9]:50000", "2001:db8:1:2::9", "2001:db8:1:2::/64"],
  ["fe80::1%eth0", "fe80::1", "fe80:0:0:0::/64"],
  [`fe80::1%${"x".repeat(10_000)}`, "fe80::1", "fe80:0:0:0::/64"],
  // Not addresses: the connection's own is used.
  [undefined, "::ffff:192.0.2.1", "192.0.2.1"],
  ["0x7f.1", "::ffff:192.0.2.1", "192.0.2.1"],
  ["203.0.113.07", "::ffff:192.0.2.1", "192.0.2.1"],
  ['unknown","status":200', "::ffff:192.0.2.1", "192.0.2.1"],
  ["x".repeat(10_000), "::ffff:192.0.2.1", "192.0.2.1"],
] as const)("the address of %j is %s, and its network is %s", ([ip, address, network]) => {
  const request = { ip, socket: { remoteAddress: "::ffff:192.0.2.1" } };
  expect([clientAddressOf(request), clientNetworkOf(request)]).toEqual([address, network]);
});
