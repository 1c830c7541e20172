import { hasSeenSabotage } from "../has-seen-sabotage.ts";
import { mirrorFaults } from "../mirror/mirror-faults.ts";
import { startMirrorWorld } from "../mirror/mirror-world.ts";
import { Watch } from "../mirror/watch.ts";
import type { Row } from "../row.ts";

/** Lets everything fail on which a mirror in a program depends, while websites change. */
export const mirror = {
  promise:
    "Whatever fails, a mirror serves websites that were true at its lastSyncAt or later, leaves none out, " +
    "continues by itself, and uses no more memory.",
  engines: ["sqlite"],
  needs: ["linux"],
  rounds: { unit: "faults", default: 180, short: 9 },
  async run(attack) {
    await using started = new AsyncDisposableStack();
    const world = await startMirrorWorld(attack, started);
    const watch = new Watch(world);
    await watch.untilSynced();
    const faults = Object.entries(mirrorFaults);
    let count = 0;
    for (; count < attack.rounds && !hasSeenSabotage(attack, watch.violations); count += 1) {
      const [name, fail] = faults[count % faults.length] ?? ["service away", mirrorFaults["service away"]];
      if (attack.isSabotaged) await world.proxy.change("never changes");
      await watch.during(name, fail);
    }
    if (count >= faults.length) watch.judgeErrors();
    return { figures: { faults: count, ...watch.figures() }, violations: watch.violations };
  },
} as const satisfies Row;
