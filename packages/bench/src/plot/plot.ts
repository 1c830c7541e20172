/** Lines over two axes. */
export interface Plot {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
}

export interface Axis {
  /** What the axis shows, with its unit. */
  readonly label: string;
  readonly scale: "linear" | "logarithmic";
}

interface Series {
  readonly name: string;
  /** In the order of x. On a logarithmic axis, all values are above 0. */
  readonly points: readonly Point[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}
