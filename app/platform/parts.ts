/** How many parts of a file may still be looked at. All that walk through it share one. */
export interface PartBudget {
  left: number;
}

/** False once there are more parts than may be looked at. */
export function spendPart(parts: PartBudget): boolean {
  parts.left -= 1;
  return parts.left >= 0;
}
