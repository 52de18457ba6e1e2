import { expect, test } from "vitest";
import { ownRecordingView } from "~/sources/files/own-list";

const day = 24 * 60 * 60 * 1000;
const row = {
  ...{ recordingId: "r", title: "Light", isDraft: false, bytes: 9, uploadedAt: day },
  ...{ fileEndedAt: null, songId: "s", leftAt: null },
};

test.each([
  [{ isDraft: true, songId: null }, "draft", 2 * day],
  [{}, "rotation", null],
  [{ leftAt: 5 * day }, "kept", 95 * day],
  [{ leftAt: 5 * day, fileEndedAt: 7 * day }, "deleted", 7 * day],
  [{ fileEndedAt: 7 * day }, "deleted", 7 * day],
])("a recording with %j is in the state %s", (fields, state, at) => {
  expect(ownRecordingView({ ...row, ...fields })).toMatchObject({ state, at });
});
