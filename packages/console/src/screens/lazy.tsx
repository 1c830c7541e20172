import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Failure } from "../parts/parts.tsx";

type Opened = typeof import("./opened.ts");

let opened: Opened | undefined;

/** Returns a component of what is loaded when it is shown first, so that the list does not wait for it. */
export function lazy<Name extends keyof Opened>(name: Name) {
  // A component by its name has props of its own.
  type Props = Opened[Name] extends (props: infer Its extends object) => unknown ? Its : object;
  return function Lazy(props: Props) {
    const [isLost, setLost] = useState<boolean>();
    const keep = (module: Opened) => {
      opened = module;
      setLost(false);
    };
    useEffect(() => {
      if (opened === undefined) import("./opened.ts").then(keep, () => setLost(true));
    }, []);
    // The server may have a newer page.
    if (isLost) return <Failure onRetry={() => location.reload()}>This part of the page cannot be loaded.</Failure>;
    const Shown = opened?.[name] as unknown as ComponentType<Props> | undefined;
    return Shown ? <Shown {...props} /> : <p role="status">Loading …</p>;
  };
}
