/** Who takes part in the simulated exchange, and how they use it. */

const hour = 60 * 60_000;
const day = 24 * hour;

/** How somebody uses the ways out of a song that they cannot rate. */
export type PassHabit = "never" | "now and then" | "every one";

export interface Musician {
  /** The Spotify account's id. */
  account: string;
  arrivesAt: number;
  /** The time between two visits, on average. */
  every: number;
  /** The chance of coming back after a visit. */
  returns: number;
  /** Songs rated in a visit, at most. */
  patience: number;
  /** Songs that they have to submit, and whether they submit them again afterwards. */
  repertoire: number;
  repeats: boolean;
  premium: boolean;
  passes: PassHabit;
  /** Whether Spotify has a market of its own for them, where some songs do not play. */
  abroad: boolean;
  /** Submits as much as the rules allow, and comes by for nothing else. */
  floods: boolean;
  /** When the account is deleted, and whether the same Spotify account comes back. */
  leavesAt: number | null;
  comesBack: boolean;
}

/**
 * The musicians of an exchange that opens with a third of them, while the others arrive one after the
 * other until the end. Of ten, three come every day, four every week, and three try it and stay away
 * sooner or later. Times are milliseconds from the opening.
 * @param floods whether one of them, or one in 200, floods the exchange.
 */
export function makeMusicians(
  count: number,
  days: number,
  random: () => number,
  floods: boolean,
): Musician[] {
  const chance = (share: number) => random() < share;
  const upTo = (most: number) => Math.floor(random() * (most + 1));
  return Array.from({ length: count }, (_, index): Musician => {
    const kind = index % 10;
    const isFlooder = floods && index % 200 === 5;
    const opening = index % 3 === 0;
    const arrivesAt = opening ? upTo(day) : Math.floor(random() * days * day);
    const habit =
      kind < 3
        ? { every: day, returns: 0.98, patience: 4 + upTo(6) }
        : kind < 7
          ? { every: 7 * day, returns: 0.95, patience: 3 + upTo(9) }
          : { every: 2 * day, returns: 0.55, patience: 1 + upTo(7) };
    return {
      account: `musician-${String(index).padStart(4, "0")}`,
      arrivesAt,
      ...(isFlooder ? { every: 4 * hour, returns: 1, patience: 30 } : habit),
      repertoire: isFlooder ? 200 : 1 + upTo(9),
      repeats: chance(0.5),
      premium: chance(0.1),
      passes: chance(0.05) ? "every one" : chance(0.4) ? "now and then" : "never",
      abroad: chance(0.2),
      floods: isFlooder,
      leavesAt: !isFlooder && chance(0.06) ? arrivesAt + upTo(20 * day) : null,
      comesBack: chance(0.4),
    };
  });
}
