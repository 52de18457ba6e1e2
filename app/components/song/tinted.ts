import { grey } from "~/db/rules";

/** The classes of a part of a page that has the colour of a song's cover (app/styles/tinted.css). */
export function tinted({ tint }: { tint: number | null }): string {
  if (tint === null || tint === grey) return "tinted";
  return `tinted hue-${tint >> 1} ${tint % 2 === 1 ? "vivid" : "pale"}`;
}

/** The ground that those classes give a page, where it is light and where it is dark. */
export function groundsOf(tint: number | null): [light: string, dark: string] {
  const hue = 15 * Math.floor((tint ?? 0) / 2);
  const chroma = tint === null || tint === grey ? 0 : tint % 2 ? 0.13 : 0.06;
  const calm = 0.72 - 0.28 * Math.cos(((hue - 80) * Math.PI) / 180);
  const [pale, deep] = [Math.min(chroma * 0.6, 0.074), Math.min(chroma * 0.5, 0.055) * calm];
  return [`oklch(0.845 ${pale} ${hue})`, `oklch(0.265 ${deep} ${hue})`];
}
