import fc from "fast-check";
import { expect, test } from "vitest";
import { undoMs } from "~/domain/submission/limits";
import { undoObstacle, undoSecondsLeft } from "~/domain/submission/undo";

test("a submission can be taken back exactly while seconds are left for it", () => {
  const standing = fc.record({
    createdAt: fc.constant(1000),
    isLatest: fc.boolean(),
    isRated: fc.boolean(),
    isTold: fc.boolean(),
    isUsedUp: fc.boolean(),
    isTakenOut: fc.boolean(),
  });
  fc.assert(
    fc.property(standing, fc.integer({ min: 0, max: 2 * undoMs }), (submission, later) => {
      const now = submission.createdAt + later;
      const { isLatest, isRated, isTold, isUsedUp, isTakenOut } = submission;
      const isObstructed = !isLatest || isRated || isTold || isUsedUp || isTakenOut;
      const seconds = undoSecondsLeft(submission, now);
      expect(seconds > 0).toBe(undoObstacle(submission, now) === null);
      expect(seconds > 0).toBe(!isObstructed && later < undoMs);
      expect(seconds).toBeLessThanOrEqual(undoMs / 1000);
    }),
  );
});
