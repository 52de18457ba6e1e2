/** Paged lists, newest first. */
import type { z } from "zod";
import { noSuch } from "./errors.ts";
import type { listing } from "./params.ts";

type Paging = z.output<z.ZodObject<typeof listing>>;

/**
 * One page of a list.
 * @param kind for the error about an unknown cursor: "No such <kind>".
 * @param all newest first.
 */
export function listOf<T extends { id: string; created: number }>(
  kind: string,
  url: string,
  all: Iterable<T>,
  { limit = 10, starting_after, ending_before, created }: Paging,
) {
  const matching = [...all].filter((item) => isWithin(item.created, created));
  const indexOf = (id: string, param: string) => {
    const index = matching.findIndex((item) => item.id === id);
    if (index < 0) throw noSuch(kind, id, param);
    return index;
  };
  let start = 0;
  let end = matching.length;
  if (starting_after !== undefined) start = indexOf(starting_after, "starting_after") + 1;
  if (ending_before !== undefined) end = indexOf(ending_before, "ending_before");
  const forward = ending_before === undefined;
  const data = forward
    ? matching.slice(start, start + limit)
    : matching.slice(Math.max(start, end - limit), end);
  const has_more = data.length < end - start;
  return { object: "list" as const, data, has_more, url };
}

function isWithin(time: number, created: Paging["created"]): boolean {
  if (created === undefined) return true;
  if (typeof created === "number") return time === created;
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = created;
  return time > gt && time >= gte && time < lt && time <= lte;
}
