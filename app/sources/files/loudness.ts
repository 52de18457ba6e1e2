/** In tenths of LUFS, as the browser that uploaded a file has measured it. Null is unknown. */
type Loudness = number | null | undefined;

/** What is louder is played more quietly, so that mixes can be compared. */
const aim = -160;
const mostLowered = 120;

/** What is compared may differ by two decibels. */
const closeEnough = 20;

/** What an upload says of its loudness; whatever a song cannot have counts as unknown. */
export function readLoudness(text: string): number | null {
  const loudness = /^-?\d{1,3}$/.test(text) ? Number(text) : null;
  return loudness !== null && loudness >= -700 && loudness <= 100 ? loudness : null;
}

function lowered(loudness: number): number {
  return Math.min(mostLowered, Math.max(0, loudness - aim));
}

/** What the volume is multiplied with while a recording plays (rule 43, files): nothing gets louder. */
export function gainOf(loudness: Loudness): number {
  return typeof loudness === "number" ? 10 ** (-lowered(loudness) / 200) : 1;
}

/** How a mix sounded against another one, as both were played (rule 43, files). */
export function soundedAgainst(
  earlier: Loudness,
  later: Loudness,
): "louder" | "quieter" | "alike" | "unknown" {
  if (typeof earlier !== "number" || typeof later !== "number") return "unknown";
  const difference = later - lowered(later) - (earlier - lowered(earlier));
  if (Math.abs(difference) <= closeEnough) return "alike";
  return difference > 0 ? "louder" : "quieter";
}
