import { expect } from "@playwright/test";
import { tinted } from "../../app/components/song/tinted.ts";
import { grey } from "../../app/db/rules.ts";
import { test } from "./support/fixtures.ts";

/** What stands on what, and by how much it must stand out (WCAG 2.2, 1.4.3 and 1.4.11). */
const pairs: [front: string, back: string, least: number][] = [
  ["ink", "ground", 7],
  ["ink", "surface", 7],
  ["ink-soft", "ground", 4.5],
  ["ink-soft", "surface", 4.5],
  ["accent-ink", "ground", 4.5],
  ["accent-ink", "surface", 4.5],
  ["on-accent", "accent", 4.5],
  ["ok", "ground", 4.5],
  ["ok", "surface", 4.5],
  ["error", "ground", 4.5],
  ["error", "surface", 4.5],
  ["edge", "ground", 3],
  ["edge", "surface", 3],
  ["accent-edge", "ground", 3],
];

const parts = [
  "",
  "sunny",
  "tinted",
  ...Array.from({ length: grey + 1 }, (_, tint) => tinted({ tint })),
];

for (const colorScheme of ["light", "dark"] as const) {
  test(`in ${colorScheme}, all stands out on the paper, on amber and in every cover's colour`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto("/faq");
    const { weak, grounds } = await page.evaluate(measure, { pairs, parts });
    expect(weak).toEqual([]);
    // Weak and strong covers of all hues differ, or the classes do nothing.
    expect(grounds).toBeGreaterThan(grey);
  });
}

/** In the page: draws each colour on a canvas, and compares what it sees there. */
function measure(asked: { pairs: [string, string, number][]; parts: string[] }) {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const luminance = (colour: string) => {
    if (!canvas) throw new Error("There is no canvas.");
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data]
      .map((byte) => byte / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const weak: string[] = [];
  const grounds = new Set<string>();
  for (const part of asked.parts) {
    const element = document.createElement("div");
    element.className = part;
    document.body.appendChild(element);
    const colourOf = (name: string) => {
      const probe = document.createElement("p");
      element.appendChild(probe);
      probe.style.color = `var(--ff-${name})`;
      return getComputedStyle(probe).color;
    };
    grounds.add(colourOf("ground"));
    for (const [front, back, least] of asked.pairs) {
      const [one, other] = [luminance(colourOf(front)), luminance(colourOf(back))];
      const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      if (ratio < least) weak.push(`${part}: ${front} on ${back} ${ratio.toFixed(2)}`);
    }
    element.remove();
  }
  return { weak, grounds: grounds.size };
}
