/** How many series have a style of their own. */
export const seriesStyleCount = 6;

/** The colors have a contrast of at least 4.5 with their background. Lines also differ in their dashes. */
export const plotStyle = `
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.heading { font-weight: 600; font-size: 15px }
.background { fill: #ffffff }
.grid { stroke: #d1d9e0 }
.line { fill: none; stroke-width: 2 }
${renderColors(["#0550ae", "#bc4c00", "#116329", "#8250df", "#cf222e", "#57606a"])}
.line.series-2 { stroke-dasharray: 7 4 }
.line.series-3 { stroke-dasharray: 2 3 }
.line.series-4 { stroke-dasharray: 9 3 2 3 }
.line.series-5 { stroke-dasharray: 4 2 }
.line.series-6 { stroke-dasharray: 12 4 }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc }
.background { fill: #0d1117 }
.grid { stroke: #3d444d }
${renderColors(["#58a6ff", "#f0883e", "#3fb950", "#bc8cff", "#ff7b72", "#9198a1"])}
}
`;

function renderColors(colors: readonly string[]): string {
  return colors
    .map((color, index) => {
      const name = `series-${index + 1}`;
      return `.line.${name} { stroke: ${color} } .mark.${name}, .name.${name} { fill: ${color} }`;
    })
    .join("\n");
}
