/** What a control action is, and how actions read their input. */
import { type Fault, parseRoute } from "./faults.ts";

export type Input = Record<string, unknown>;

/** Takes the posted JSON and returns the fields of the response. Throws a ControlError on bad input. */
export type ControlAction = (
  input: Input,
) => Record<string, unknown> | undefined | Promise<Record<string, unknown>>;

export function controlError(message: string): Error {
  return Object.assign(new Error(message), { name: "ControlError" });
}

export function optionalText(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}

export function oneOf<T extends string>(value: unknown, allowed: readonly T[]): T {
  if (allowed.includes(value as T)) return value as T;
  throw controlError(`${String(value)} is not one of ${allowed.join(", ")}`);
}

export function numberOr(value: unknown, standard: number): number {
  if (value === undefined) return standard;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw controlError(`${String(value)} is not a number`);
}

export function faultTarget({
  route,
  musician,
  times,
}: Input): Pick<Fault, "method" | "path" | "musician" | "times"> {
  const parsed = parseRoute(String(route));
  if (!parsed) throw controlError('route must look like "GET /v1/me/player"');
  return {
    ...parsed,
    musician: optionalText(musician) ?? null,
    times: typeof times === "number" ? times : 1,
  };
}
