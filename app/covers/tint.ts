/** Hues on the circle. A tint names one of them, weak or strong: `2 * hue`, or one more where it is strong. */
const hues = 24;
/** As in app/db/rules.ts, which Node cannot find from here when it seeds a database. */
const grey = 2 * hues;

/** Below it a colour counts as grey; from `strongChroma` on it is strong (OKLCh). */
const leastChroma = 0.035;
const strongChroma = 0.095;
/** The part of a picture that must have a colour for the picture to have one. */
const leastColoured = 0.08;

interface Lch {
  lightness: number;
  chroma: number;
  /** In turns, from 0 up to 1. */
  hue: number;
}

/**
 * The colour of a picture, from its pixels (red, green, blue, alpha; a byte each): the hue that most of what is
 * coloured in it has, or `grey`.
 */
export function tintOf(pixels: Uint8Array): number {
  const weights = new Float64Array(hues);
  const chromas = new Float64Array(hues);
  let coloured = 0;
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const { lightness, chroma, hue } = toLch(
      pixels[at] ?? 0,
      pixels[at + 1] ?? 0,
      pixels[at + 2] ?? 0,
    );
    if (chroma < leastChroma || lightness < 0.2 || lightness > 0.97) continue;
    const step = Math.round(hue * hues) % hues;
    coloured += 1;
    weights[step] = (weights[step] ?? 0) + chroma;
    chromas[step] = (chromas[step] ?? 0) + chroma * chroma;
  }
  if (coloured === 0 || coloured < (pixels.length / 4) * leastColoured) return grey;
  let best = 0;
  let most = -1;
  for (let step = 0; step < hues; step += 1) {
    const around = sumAround(weights, step);
    if (around > most) [best, most] = [step, around];
  }
  const strong = sumAround(chromas, best) / most >= strongChroma;
  return 2 * best + Number(strong);
}

/** Neighbours count half, so that a hue between two steps is not split. */
function sumAround(sums: Float64Array, step: number): number {
  const before = sums[(step + hues - 1) % hues] ?? 0;
  const after = sums[(step + 1) % hues] ?? 0;
  return (sums[step] ?? 0) + (before + after) / 2;
}

/** Björn Ottosson's OKLab. */
function toLch(red: number, green: number, blue: number): Lch {
  const [r, g, b] = [toLinear(red), toLinear(green), toLinear(blue)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bAxis = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  const turn = Math.atan2(bAxis, a) / (2 * Math.PI);
  return { lightness, chroma: Math.hypot(a, bAxis), hue: turn < 0 ? turn + 1 : turn };
}

function toLinear(byte: number): number {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}
