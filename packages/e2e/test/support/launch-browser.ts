import { type Browser, chromium } from "playwright-core";

/** Debian's Chromium. What it would send to its makers is turned off. As root, its sandbox does not work. */
export function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const features = ["background-networking", "component-update", "sync", "gpu", "quic"].map(
    (name) => `--disable-${name}`,
  );
  const args = ["--no-sandbox", "--no-first-run", ...features, ...more];
  return chromium.launch({ executablePath: "/usr/bin/chromium", args, timeout: 60_000 });
}
