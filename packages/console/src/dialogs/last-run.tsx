import { useDesk } from "../data/session.ts";
import { Button, Dialog } from "../parts/parts.tsx";
import { Progress, useRun } from "../parts/run.tsx";

/** Does what is left of the last run. */
export function LastRun() {
  const { work, finish } = useDesk();
  const { doing, rest } = work;
  const run = useRun();
  if (doing === undefined) return null;
  const goOn = async () => {
    const [done, next] = await run.run(rest, doing, { acceptsMissing: doing.verb === "deleted" });
    if (done.end !== "declined") finish(done, next);
  };
  return (
    <>
      <Button label={`Continue with the ${rest.length.toLocaleString("en")} left`} onClick={() => void goOn()} />
      {run.shown !== undefined && (
        <Dialog title="Changing websites" onClose={run.stop}>
          {() => <Progress run={run} />}
        </Dialog>
      )}
    </>
  );
}
