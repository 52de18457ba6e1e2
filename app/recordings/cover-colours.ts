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

/** The colour at a place of OKLCH, with as much chroma as sRGB has there. */
function colour(lightness: number, chroma: number, hue: number): string {
  const turn = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(turn), chroma * Math.sin(turn)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  if (linear.some((value) => value < 0 || value > 1)) {
    return colour(lightness, chroma - 0.005, hue);
  }
  const digits = linear.map((value) => {
    const shown = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
    return Math.round(255 * shown)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${digits.join("")}`;
}
