import proxyAddr from "proxy-addr";
import { choosePeer } from "./peers/choose-peer.ts";
import type { Trust } from "./proxy/serve.ts";

const prefix = "SITEWARD_EDGE_";
const kinds = "matomo, umami, plausible or goatcounter; umami:/x if it collects at /x, or json:/collect:payload.url";
const trusted = "off, a number of hops from 1 to 99, or comma-separated addresses and networks";
const place = "an address such as 127.0.0.1:3200";

/** Each setting: its default, how it is read, and what it takes. It is not valid if it is read as undefined. */
const table = {
  COLLECT: ["", choosePeer, kinds],
  PEER: ["", readPeer, "the URL of the analytics system, such as http://127.0.0.1:8080"],
  LISTEN: ["127.0.0.1:3200", readPlace, place],
  OPERATE: ["127.0.0.1:3201", (text: string) => (text === "off" ? null : readPlace(text)), `${place}, or off`],
  TRUST_PROXY: ["loopback", readTrust, trusted],
  UNKNOWN: ["pass", (text: string) => ({ pass: false, drop: true })[text], "pass or drop"],
  DRY_RUN: ["off", (text: string) => ({ off: false, on: true })[text], "on or off"],
  FILE: ["siteward-edge.websites", (text: string) => text, "the path of a file"],
} as const;

export type Settings = {
  readonly [Name in keyof typeof table]: Exclude<ReturnType<(typeof table)[Name][1]>, undefined>;
};

/** Kubernetes sets these for a service with the name `siteward-edge`. */
const ofKubernetes = /^SITEWARD_EDGE_(SERVICE_(HOST|PORT)|PORT($|_\d+_))/;

/** Reads the settings. @returns what is wrong, if anything is */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings | string[] {
  const names = Object.keys(table).map((name) => prefix + name);
  const isUnknown = (name: string) => name.startsWith(prefix) && !names.includes(name) && !ofKubernetes.test(name);
  const unknown = Object.keys(environment).filter((name) => environment[name] && isUnknown(name));
  const faults = unknown.map((name) => `${name} is not a setting. Use one of ${names.join(", ")}, or unset it.`);
  const values = Object.entries(table).map(([name, [unset, read, takes]]) => {
    const text = environment[prefix + name] || unset;
    const value = read(text);
    if (value === undefined) faults.push(`${prefix}${name} is ${JSON.stringify(text)}. Set it to ${takes}.`);
    return [name, value];
  });
  // The cast is safe: each value is what its setting was read as.
  return faults.length > 0 ? faults : (Object.fromEntries(values) as Settings);
}

function readPlace(text: string): { readonly host: string; readonly port: number } | undefined {
  const [, host = "", port] = /^\[?((?<=\[)[\da-f:.]+(?=\])|[\w.-]+)\]?:(\d{1,5})$/i.exec(text) ?? [];
  return host !== "" && Number(port) <= 65_535 ? { host, port: Number(port) } : undefined;
}

function readPeer(text: string): URL | undefined {
  const url = URL.parse(text);
  return url?.protocol === "http:" && url.href === `${url.origin}/` ? url : undefined;
}

/** A network of all addresses would trust everybody. */
function readTrust(text: string): Trust | undefined {
  if (text === "off") return () => false;
  if (/^[1-9]\d?$/.test(text)) return (_, hop) => hop < Number(text);
  const entries = text.split(",").map((entry) => entry.trim());
  try {
    return entries.some((entry) => entry.endsWith("/0")) ? undefined : proxyAddr.compile(entries);
  } catch {
    return undefined;
  }
}
