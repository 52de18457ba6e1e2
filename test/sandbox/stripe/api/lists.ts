/** Lists as the API pages them: newest first. */
import type { z } from "zod";
import { noSuch } from "./errors.ts";
import type { listing } from "./params.ts";

type Paging = z.output<z.ZodObject<typeof listing>>;

/**
 * A page of what there is. `all` is newest first; `kind` is what an unknown cursor is said to be none of.
 */
export function listOf<T extends { id: string; created: number }>(
  kind: string,
  url: string,
  all: Iterable<T>,
  { limit = 10, starting_after, ending_before, created }: Paging,
) {
  const wanted = [...all].filter((one) => within(one.created, created));
  const at = (id: string, param: string) => {
    const index = wanted.findIndex((one) => one.id === id);
    if (index < 0) throw noSuch(kind, id, param);
    return index;
  };
  let start = 0;
  let end = wanted.length;
  if (starting_after !== undefined) start = at(starting_after, "starting_after") + 1;
  if (ending_before !== undefined) end = at(ending_before, "ending_before");
  const forward = ending_before === undefined;
  const data = forward
    ? wanted.slice(start, start + limit)
    : wanted.slice(Math.max(start, end - limit), end);
  const has_more = data.length < end - start;
  return { object: "list" as const, data, has_more, url };
}

function within(time: number, created: Paging["created"]): boolean {
  if (created === undefined) return true;
  if (typeof created === "number") return time === created;
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = created;
  return time > gt && time >= gte && time < lt && time <= lte;
}
