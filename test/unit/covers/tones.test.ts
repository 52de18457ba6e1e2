import { expect, test } from "vitest";
import { accent, onAccent, shadesOf, type Tone } from "~/covers/tones";

const tones: Tone[] = ["paper", "card", ...Array.from({ length: 49 }, (_, tint) => tint)];

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

test.each(["light", "dark"] as const)("text can be read on every cover's colour (%s)", (scheme) => {
  for (const tone of tones) {
    const { ground, ink, soft, faint } = shadesOf(tone)[scheme];
    expect(contrast(ink, ground), `ink on ${tone}`).toBeGreaterThan(10);
    expect(contrast(soft, ground), `soft on ${tone}`).toBeGreaterThan(6);
    expect(contrast(faint, ground), `faint on ${tone}`).toBeGreaterThan(1.4);
  }
});

test("marks stand out by their edge: dark in light, and the accent's own in dark", () => {
  for (const tone of tones) {
    const { light, dark } = shadesOf(tone);
    expect(contrast(light.ink, accent)).toBeGreaterThan(7);
    expect(contrast(accent, dark.ground)).toBeGreaterThan(6);
  }
  expect(contrast(onAccent, accent)).toBeGreaterThan(7);
});
