import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Failure } from "./parts.tsx";

/** Loads a component when it is shown first, so that the list does not wait for what it does not need. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const [isLost, setLost] = useState<boolean>();
    const keep = (component: ComponentType<Props>) => {
      loaded = component;
      setLost(false);
    };
    useEffect(() => {
      if (loaded === undefined) load().then(keep, () => setLost(true));
    }, []);
    if (loaded !== undefined) {
      const Loaded = loaded;
      return <Loaded {...props} />;
    }
    // The server may have a newer page.
    if (isLost === true)
      return <Failure onRetry={() => location.reload()}>This part of the page cannot be loaded.</Failure>;
    return <p role="status">Loading …</p>;
  };
}
