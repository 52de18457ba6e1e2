import { Link } from "@remix-run/react";
import { DeleteUpload } from "~/components/song/delete-upload";
import { dateAndTime, fullDate } from "~/platform/dates";
import { megabytes } from "~/platform/text";
import type { OwnRecordingView } from "~/sources/files/own-list";

export function AccountRecordings({ recordings }: { recordings: OwnRecordingView[] }) {
  return (
    <ul className="dated-list">
      {recordings.map((recording) => {
        const { recordingId, title, bytes, songId, state } = recording;
        const page = songId ? `/ratings-of-my-songs/${songId}` : `/recordings/${recordingId}`;
        return (
          <li key={recordingId}>
            <div>
              <p>
                <Link to={page}>
                  <bdi>{title}</bdi>
                </Link>
              </p>
              <p className="quiet">
                {state === "deleted" ? null : <span>{`${megabytes(bytes)} MB. `}</span>}
                <span>{wordsOf(recording)}</span>
              </p>
            </div>
            {state === "draft" ? (
              <DeleteUpload recordingId={recordingId} title={title} next="/account" />
            ) : null}
          </li>
        );
      })}
    </ul>
  );
}

function wordsOf({ state, at }: OwnRecordingView): string {
  switch (state) {
    case "draft":
      return `Not submitted. It is deleted after ${dateAndTime(at ?? 0)}.`;
    case "rotation":
      return "In the rotation.";
    case "kept":
      return `Out of the rotation. The file is kept until ${fullDate(at ?? 0)}.`;
    case "deleted":
      return `The file was deleted on ${fullDate(at ?? 0)}. The ratings stay.`;
  }
}
