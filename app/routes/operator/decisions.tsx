import { utcDate, utcTime } from "~/components/format/date";
import { Notice } from "~/components/notice";
import { Cover } from "~/components/song/cover";
import type { Decisions, OpenSong } from "~/operator/overview.server";
import type { Said } from "~/operator/said";
import { oneDayText } from "~/operator/same-day";
import { counted } from "~/platform/text";
import { madeTexts } from "~/sources/made";
import { ActionForm, LookButton, Reason } from "./forms";

export function SongDecisions({
  song,
  now,
  said,
}: {
  song: OpenSong;
  now: number;
  said: Said | null;
}) {
  const { songId, title, artists, spotifyUrl, ownerId, ownerName, takenOut, lock, isOwn } = song;
  const { artUrl, isHeard, hasFiles } = song;
  const isOut = takenOut !== null || (song.restingSince !== null && !song.withdrawn);
  const isDismissable = song.reports.length > 0 || takenOut === null;
  return (
    <article className="card operation-song" id={`song-${songId}`}>
      <h3>
        "<bdi>{title}</bdi>" by <bdi>{artists.join(", ")}</bdi>
      </h3>
      {said?.target === songId ? <Notice tone="ok">{said.text}</Notice> : null}
      <p>
        {spotifyUrl === null ? "Own recording" : <a href={spotifyUrl}>Open on Spotify</a>}
        {", submitted by "}
        <bdi>{ownerName}</bdi>
        {lock ? " (locked)" : null}
      </p>
      {isHeard && !isOwn ? (
        <>
          <Cover track={{ artUrl, smallerArt: {} }} />
          {/* biome-ignore lint/a11y/useMediaCaption: a song has no captions. */}
          <audio
            controls
            preload="none"
            aria-label={title}
            src={`/songs/${encodeURIComponent(songId)}/audio`}
          />
        </>
      ) : null}
      <LookButton userId={ownerId} name={ownerName} />
      <ul className="operation-facts">
        {factsOf(song).map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
        {takenOut === null ? null : (
          <li>
            Taken out. The reason: <bdi>{takenOut}</bdi>
          </li>
        )}
      </ul>
      {song.reports.length > 0 ? (
        <ul className="operation-words">
          {song.reports.map(({ words, createdAt }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: reports show no id, and their order is fixed
            <li key={place}>
              {utcDate(createdAt)}: {words ? <q dir="auto">{words}</q> : "nothing was added"}
            </li>
          ))}
        </ul>
      ) : null}
      {isOwn ? (
        <p>This is your own song. Another operator has to decide.</p>
      ) : (
        <ActionForm
          fields={{
            song: songId,
            user: ownerId,
            lock: lock?.id ?? "",
            seenAt: now,
            decidedAt: song.decidedAt ?? "",
          }}
        >
          <Reason id={`reason-${songId}`}>
            {isDismissable
              ? "The reason. Its owner will read it, unless you dismiss."
              : "The reason. Its owner will read it."}
          </Reason>
          <p className="operation-buttons">
            {isDismissable ? (
              <button className="button plain" name="do" value="dismiss" type="submit">
                Dismiss
              </button>
            ) : null}
            {takenOut === null ? (
              <button className="button plain" name="do" value="take_out" type="submit">
                Take it out
              </button>
            ) : null}
            {isOut ? (
              <button className="button plain" name="do" value="put_back" type="submit">
                Put it back
              </button>
            ) : null}
            {hasFiles ? (
              <button className="button plain" name="do" value="delete_file" type="submit">
                Delete the file
              </button>
            ) : null}
            <button
              className="button plain"
              name="do"
              value={lock ? "unlock" : "lock"}
              type="submit"
            >
              {lock ? "Unlock its owner" : "Lock its owner"}
            </button>
          </p>
        </ActionForm>
      )}
    </article>
  );
}

function factsOf(song: OpenSong): string[] {
  const { reports, refusals, restingSince, takenOut, withdrawn, received, owed, decidedAt } = song;
  const { fromOneDay, soundsGeneratedTo, made } = song;
  return [
    reports.length > 0 ? `Reported ${counted(reports.length, "time")}` : null,
    soundsGeneratedTo > 0
      ? `It sounds generated to ${counted(soundsGeneratedTo, "listener")}. Its owner says: ${madeTexts[made]}`
      : null,
    refusals > 0 ? `It did not play for ${counted(refusals, "listener")} in a row` : null,
    restingSince !== null && takenOut === null
      ? `${withdrawn ? "Withdrawn by its owner" : "Resting"} since ${utcDate(restingSince)}`
      : null,
    `${counted(received, "rating")} received, ${owed} owed`,
    oneDayText(fromOneDay),
    decidedAt === null ? null : `Last decision on ${utcDate(decidedAt)}`,
  ].filter((fact) => fact !== null);
}

export function Locks({ locks }: Pick<Decisions, "locks">) {
  if (locks.length === 0) return <p>Nobody is locked.</p>;
  return locks.map(({ id, userId, name, reason, at }) => (
    <details className="panel" key={id}>
      <summary>
        <h3>
          {userId === null ? "A deleted account" : <bdi>{name}</bdi>}
          {`, since ${utcDate(at)}`}
        </h3>
      </summary>
      <p>
        The reason: <bdi>{reason}</bdi>
      </p>
      {userId !== null && name !== null ? <LookButton userId={userId} name={name} /> : null}
      <ActionForm fields={{ lock: id }}>
        <Reason id={`unlock-${id}`}>Why they may submit songs again. They will read this.</Reason>
        <p>
          <button className="button plain" name="do" value="unlock" type="submit">
            Unlock
          </button>
        </p>
      </ActionForm>
    </details>
  ));
}

const actionTexts: Record<Decisions["lines"][number]["action"], string> = {
  dismiss: "dismissed the reports of",
  take_out: "took out",
  put_back: "put back",
  delete_file: "deleted the file of",
  lock: "locked",
  unlock: "unlocked",
  send_again: "sent again",
  look: "looked at",
  export: "exported",
  delete: "deleted",
};

export function DecisionLog({ lines }: Pick<Decisions, "lines">) {
  if (lines.length === 0) return <p>Nothing yet.</p>;
  return (
    <ul className="operation-log">
      {lines.map(({ id, operator, action, target, title, name, isAccount, reason, at }) => (
        <li key={id}>
          <time dateTime={new Date(at).toISOString()}>{utcTime(at)}</time>
          {": "}
          <bdi>{operator}</bdi>
          {` ${actionTexts[action]} `}
          <bdi>{title ?? name ?? target}</bdi>
          {isAccount ? ` (${target})` : null}
          {reason ? (
            <>
              {". "}
              <q dir="auto">{reason}</q>
            </>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
