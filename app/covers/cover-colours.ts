import { colour } from "~/platform/oklch";
import { pick, type Random } from "./chance";

/** `main` stands out from `ground` by 4.5 to 1 at least. */
export interface Colours {
  ground: string;
  main: string;
  second: string;
  accent: string;
}

export function coloursOf(random: Random): Colours {
  const hue = random() * 360;
  const other = hue + pick(random, [40, 90, 140, 180, 220, 300]);
  const deep = colour(0.28, 0.07, hue);
  const rich = colour(0.47, 0.12, hue);
  const pale = colour(0.92, 0.045, pick(random, [hue, other]));
  // The eye finds yellow vivid only where it is light, and blue where it is darker.
  const yellow = Math.cos(((other - 90) * Math.PI) / 180);
  const vivid = colour(0.74 + 0.06 * yellow, 0.13 + 0.03 * yellow, other);
  return pick(random, [
    { ground: deep, main: pale, second: vivid, accent: rich },
    { ground: pale, main: deep, second: rich, accent: vivid },
    { ground: vivid, main: deep, second: pale, accent: rich },
    { ground: rich, main: pale, second: vivid, accent: deep },
  ]);
}
