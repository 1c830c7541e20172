import { onTestFinished } from "vitest";
import {
  type MirroredWebsite,
  type MirrorOptions,
  mirrorWebsites,
  type WebsiteChange,
  type WebsiteMirror,
} from "../../../src/mirror/index.ts";
import type { FakeSitewardOptions } from "../../../src/testing/index.ts";
import { openFake } from "../../testing/support/open-fake.ts";

/** A mirror of a fake that asks only when a test says so, and what it told. It is closed when the test has ended. */
export interface OpenedMirror extends ReturnType<typeof openFake> {
  readonly mirror: WebsiteMirror;
  readonly changes: WebsiteChange[];
  readonly errors: unknown[];
}

export async function openMirror(
  fakeOptions: FakeSitewardOptions = {},
  options: MirrorOptions = {},
): Promise<OpenedMirror> {
  return await mirrorFake(openFake(fakeOptions), options);
}

/** Opens a mirror of a fake that exists. */
export async function mirrorFake(
  opened: ReturnType<typeof openFake>,
  options: MirrorOptions = {},
): Promise<OpenedMirror> {
  const [changes, errors]: [WebsiteChange[], unknown[]] = [[], []];
  const mirror = await mirrorWebsites(opened.siteward, {
    intervalMs: 10 * 60_000,
    onChange: (change) => changes.push(change),
    onError: (error) => errors.push(error),
    ...options,
  });
  onTestFinished(() => mirror.close());
  return { ...opened, mirror, changes, errors };
}

/** The websites of a mirror in order of ID. */
export function inOrder(mirror: WebsiteMirror): MirroredWebsite[] {
  return [...mirror].sort((left, right) => left.id - right.id);
}

/** The codes of errors, in order. */
export function codesOf(errors: readonly unknown[]): unknown[] {
  return errors.map((error) => Reflect.get(Object(error), "code"));
}
