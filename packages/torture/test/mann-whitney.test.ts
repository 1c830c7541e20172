import { describe, expect, test } from "vitest";
import { mannWhitney } from "../src/statistics/mann-whitney.ts";

describe("the rank test", () => {
  test("returns the same p as R", () => {
    // From R: wilcox.test(c(1,2,3,4,5,6,7,8), c(5,6,7,8,9,10,11,12), exact = FALSE, correct = FALSE)
    const p = mannWhitney([1, 2, 3, 4, 5, 6, 7, 8], [5, 6, 7, 8, 9, 10, 11, 12]);
    expect(p).toBeCloseTo(0.01145, 3);
  });

  test("finds equal samples equal and separate samples different", () => {
    const values = Array.from({ length: 200 }, (_, index) => index);
    expect(mannWhitney(values, values)).toBeCloseTo(1, 5);
    expect(mannWhitney([1, 1], [1, 1])).toBe(1);
    expect(
      mannWhitney(
        values,
        values.map((value) => value + 200),
      ),
    ).toBeLessThan(1e-12);
  });
});
