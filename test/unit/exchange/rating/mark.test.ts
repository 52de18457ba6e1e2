import { expect, test } from "vitest";
import { marks } from "~/exchange/rating/mark";
import { ratingScale } from "~/exchange/rating/scale";
import { isLiked } from "~/results/opinions";

test("the mark of each label has a form of its own, and is full where the listener liked the song", () => {
  const forms = ratingScale.map(({ score }) => JSON.stringify(marks[score]));
  expect(new Set(forms).size).toBe(ratingScale.length);
  for (const { score } of ratingScale) {
    expect(marks[score].circle === "full", String(score)).toBe(isLiked(score));
  }
});
