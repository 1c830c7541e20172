import { useEffect, useState } from "preact/hooks";

const pauseMs = 150;

/** Returns what follows from inputs, soon after nothing was typed any more. */
export function useSoon<Value>(derive: () => Value, inputs: readonly unknown[]): Value {
  const [value, setValue] = useState(derive);
  useEffect(() => {
    const timer = setTimeout(() => setValue(derive), pauseMs);
    return () => clearTimeout(timer);
  }, [...inputs]);
  return value;
}
