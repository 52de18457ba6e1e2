import { type SQL, sql } from "drizzle-orm";
import { sign } from "~/platform/crypto.server";
import { householdOf } from "~/platform/network";

/** Where a request comes from, so that few of a song's ratings come from one place (rule 45, places). */
export interface Place {
  /** Keyed: names nobody, and no network. */
  mark: string;
  mostRatings: number;
}

const markLength = 16;

export async function placeOf(
  request: Request,
  { secret, mostRatings }: { secret: string; mostRatings: number },
): Promise<Place> {
  const signed = await sign(secret, "place of a rating", householdOf(request));
  return { mark: signed.slice(0, markLength), mostRatings };
}

/** A condition on rows of `songs`: of the ratings for the promise under way, as many as may be came from there. */
export function isFullFrom(place: Place | { [Key in keyof Place]: SQL } | null): SQL {
  if (!place) return sql`0`;
  return sql`coalesce(json_extract(songs.rated_from, ${pathOf(place)}) >= ${place.mostRatings}, 0)`;
}

/** What `songs.rated_from` is once a rating from there has come in; empty again with the promise's last. */
export function ratedFrom(place: Place | null, endsPromise: SQL): SQL<Record<string, number>> {
  if (!place) return sql`iif(${endsPromise}, '{}', rated_from)`;
  const path = pathOf(place);
  return sql`iif(${endsPromise}, '{}',
    json_set(rated_from, ${path}, coalesce(json_extract(rated_from, ${path}), 0) + 1))`;
}

function pathOf({ mark }: { mark: string | SQL }): SQL {
  return sql`'$."' || ${mark} || '"'`;
}
