/** Prints Markdown tables: the first columns are words, the others numbers. */
export function printTable(heads: string[], rows: (string | number)[][]): void {
  const line = (cells: (string | number)[]) => `| ${cells.join(" | ")} |`;
  console.log([heads, heads.map((_, n) => (n < 1 ? "---" : "--:")), ...rows].map(line).join("\n"));
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
