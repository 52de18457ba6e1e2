import { grey } from "~/db/rules";
import { colour } from "~/platform/oklch";

/**
 * What a part of a mail is coloured as: the paper around it, a card without a song, or the tint of a song's cover,
 * whose colours are those of app/styles/tinted.css. Mail clients know neither OKLCH nor `light-dark()`.
 */
export type Tone = "paper" | "card" | number;

interface Shades {
  ground: string;
  ink: string;
  soft: string;
  /** Of strokes that are still to come, and of rules. */
  faint: string;
}

export const accent = colour(0.806, 0.152, 78);
export const onAccent = colour(0.21, 0.006, 285);

const paper: Record<"light" | "dark", Shades> = {
  light: withFaint(colour(0.975, 0.004, 95), onAccent, colour(0.43, 0.01, 285)),
  dark: withFaint(colour(0.19, 0.004, 285), colour(0.96, 0.006, 95), colour(0.78, 0.008, 95)),
};

const card: typeof paper = {
  light: withFaint("#ffffff", paper.light.ink, paper.light.soft),
  dark: withFaint(colour(0.245, 0.005, 285), paper.dark.ink, paper.dark.soft),
};

export function toneOf({ tint }: { tint: number | null }): Tone {
  return tint ?? grey;
}

export function shadesOf(tone: Tone): typeof paper {
  if (tone === "paper") return paper;
  if (tone === "card") return card;
  const { chroma, hue } = tinge(tone);
  const most = (share: number, limit: number) => Math.min(chroma * share, limit);
  // The eye finds a dark yellow dirty sooner than a dark blue.
  const calm = 0.72 - 0.28 * Math.cos(((hue - 80) * Math.PI) / 180);
  return {
    light: withFaint(
      colour(0.845, most(0.6, 0.074), hue),
      colour(0.2, most(0.3, 0.03), hue),
      colour(0.335, most(0.4, 0.045), hue),
    ),
    dark: withFaint(
      colour(0.265, most(0.5, 0.055) * calm, hue),
      colour(0.965, 0.006, 95),
      colour(0.85, most(0.2, 0.02), hue),
    ),
  };
}

/** Of the cover itself. */
export function coverColour(tint: number | null): string {
  const { chroma, hue } = tinge(tint ?? grey);
  return colour(0.6, chroma, hue);
}

function tinge(tint: number) {
  return {
    hue: Math.floor(tint / 2) * 15,
    chroma: tint === grey ? 0 : tint % 2 === 1 ? 0.13 : 0.06,
  };
}

function withFaint(ground: string, ink: string, soft: string): Shades {
  return { ground, ink, soft, faint: mixed(ground, ink, 0.26) };
}

function mixed(below: string, above: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [one, other] = [below, above].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16));
    const value = Math.round((one ?? 0) * (1 - share) + (other ?? 0) * share);
    return value.toString(16).padStart(2, "0");
  });
  return `#${parts.join("")}`;
}
