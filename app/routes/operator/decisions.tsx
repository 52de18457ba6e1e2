import { Notice } from "~/components/notice";
import { Cover } from "~/components/song/cover";
import { answerDays } from "~/db/rules";
import { pageIn } from "~/operator/notice";
import type { Decisions, OpenNotice, OpenSong } from "~/operator/overview.server";
import type { Said } from "~/operator/said";
import { oneDayText } from "~/operator/same-day";
import { dateAndTime, dayMs, fullDate } from "~/platform/dates";
import { counted } from "~/platform/text";
import { madeTexts } from "~/sources/made";
import { ActionForm, Do, Ground, LookButton, Reason } from "./forms";

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
  const isDismissable = song.reports.length + song.notices.length > 0 || takenOut === null;
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
              {fullDate(createdAt)}: {words ? <q dir="auto">{words}</q> : "nothing was added"}
            </li>
          ))}
        </ul>
      ) : null}
      {song.notices.map((notice) => (
        <NoticeText key={notice.id} notice={notice} />
      ))}
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
              ? "The reason. Who reported it will read it, and, unless you dismiss, its owner."
              : "The reason. Its owner will read it."}
          </Reason>
          <Ground />
          <p className="operation-buttons">
            {isDismissable ? <Do what="dismiss">Dismiss</Do> : null}
            {takenOut === null ? <Do what="take_out">Take it out</Do> : null}
            {isOut ? <Do what="put_back">Put it back</Do> : null}
            {hasFiles ? <Do what="delete_file">Delete the file</Do> : null}
            <Do what={lock ? "unlock" : "lock"}>{lock ? "Unlock its owner" : "Lock its owner"}</Do>
          </p>
        </ActionForm>
      )}
    </article>
  );
}

/** A notice about no song that we know of. */
export function NoticeDecisions({ notice }: { notice: OpenNotice }) {
  return (
    <article className="card operation-song">
      <h3>
        <bdi>{notice.location}</bdi>
      </h3>
      <NoticeText notice={notice} />
      <ActionForm fields={{ notice: notice.id }}>
        <Reason id={`reason-${notice.id}`}>The reason. Who sent the notice will read it.</Reason>
        <p className="operation-buttons">
          <Do what="dismiss_notice">Dismiss the notice</Do>
          <Do what="uphold_notice">Uphold the notice</Do>
        </p>
      </ActionForm>
    </article>
  );
}

function NoticeText({ notice }: { notice: OpenNotice }) {
  const { number, location, words, name, address, createdAt } = notice;
  const page = pageIn(location);
  return (
    <>
      <h4>{`Notice ${number} of ${fullDate(createdAt)}, to be answered by ${fullDate(createdAt + answerDays * dayMs)}`}</h4>
      <p>
        About {page ? <a href={page}>{location}</a> : <bdi>{location}</bdi>}
        <span>, from </span>
        {name ? <bdi>{name}</bdi> : "somebody without a name"}
        {", "}
        <bdi>{address}</bdi>
      </p>
      <blockquote dir="auto">{words}</blockquote>
    </>
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
      ? `${withdrawn ? "Withdrawn by its owner" : "Resting"} since ${fullDate(restingSince)}`
      : null,
    `${counted(received, "rating")} received, ${owed} owed`,
    oneDayText(fromOneDay),
    decidedAt === null ? null : `Last decision on ${fullDate(decidedAt)}`,
  ].filter((fact) => fact !== null);
}

export function Locks({ locks }: Pick<Decisions, "locks">) {
  if (locks.length === 0) return <p>Nobody is locked.</p>;
  return locks.map(({ id, userId, name, reason, at }) => (
    <details className="panel" key={id}>
      <summary>
        <h3>
          {userId === null ? "A deleted account" : <bdi>{name}</bdi>}
          {`, since ${fullDate(at)}`}
        </h3>
      </summary>
      <p>
        The reason: <bdi>{reason}</bdi>
      </p>
      {userId !== null && name !== null ? <LookButton userId={userId} name={name} /> : null}
      <ActionForm fields={{ lock: id }}>
        <Reason id={`unlock-${id}`}>Why they may submit songs again. They will read this.</Reason>
        <p>
          <Do what="unlock">Unlock</Do>
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
  dismiss_notice: "dismissed the notice",
  uphold_notice: "upheld the notice",
};

export function DecisionLog({ lines }: Pick<Decisions, "lines">) {
  if (lines.length === 0) return <p>Nothing yet.</p>;
  return (
    <ul className="operation-log">
      {lines.map(({ id, operator, action, target, title, name, isAccount, reason, at }) => (
        <li key={id}>
          <time dateTime={new Date(at).toISOString()}>{dateAndTime(at)}</time>
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
