import { useEffect, useId, useState } from "react";
import { PostedForm } from "~/components/form/button-form";
import { useFocusAfter } from "~/components/form/use-focus-after";
import { usePost } from "~/components/form/use-post";
import { fullDate } from "~/platform/dates";
import { counted } from "~/platform/text";
import type { OwnSong } from "~/results/song-result.server";
import { SavePicture } from "./save-picture";

/**
 * Publishes a song's result, shows its address, and unpublishes it (rule 31, shared results). Its picture is drawn beside that.
 * @param path of the song's page.
 * @param origin of the app, such as https://fivefold.example.
 */
export function ShareSong({ song, path, origin }: { song: OwnSong; path: string; origin: string }) {
  const { songId, owed, share, publishable } = song;
  const action = `/songs/${encodeURIComponent(songId)}`;
  const heading = useFocusAfter(share?.path);
  if (!share && !publishable && owed > 0) return null;
  return (
    <section aria-labelledby="share">
      <h2 id="share" ref={heading} tabIndex={-1}>
        Share
      </h2>
      {share ? <Shared {...share} address={origin + share.path} /> : null}
      {share || publishable ? null : (
        <p className="quiet">
          You can share the result once all ratings are in, three minutes after the last one.
        </p>
      )}
      {(share || publishable) && song.received > song.complete ? (
        <p className="quiet">
          {`It counts ${song.complete} of your ${counted(song.received, "rating")}: what is still coming in joins with its fifth.`}
        </p>
      ) : null}
      {share || !publishable ? null : (
        <p className="quiet">
          A page with the cover, the title, today's date and what you see of each complete five, at
          an address that nobody can guess. Never who rated, or when.
        </p>
      )}
      <div className="actions">
        {publishable ? (
          <PostButton
            action={`${action}/share`}
            next={path}
            label={share ? "Publish what you see now" : "Publish the result"}
            busyLabel="Publishing..."
            button={share ? "link-button" : "button"}
          />
        ) : null}
        {share ? (
          <PostButton
            action={`${action}/unshare`}
            next={path}
            label="Take it back"
            busyLabel="Taking it back..."
            button="link-button"
          />
        ) : null}
        <SavePicture song={song} />
      </div>
    </section>
  );
}

function Shared({
  address,
  title,
  publishedAt,
}: {
  address: string;
  title: string;
  publishedAt: number;
}) {
  const id = useId();
  const [can, setCan] = useState({ copy: false, share: false });
  const [status, setStatus] = useState("");
  useEffect(() => setCan({ copy: "clipboard" in navigator, share: "share" in navigator }), []);
  function share() {
    // Closing the phone's share sheet is no error.
    navigator.share({ title, url: address }).catch((error: unknown) => {
      const isClosed = error instanceof DOMException && error.name === "AbortError";
      setStatus(isClosed ? "" : "Your browser did not allow that. Copy the address.");
    });
  }
  function copy() {
    navigator.clipboard.writeText(address).then(
      () => setStatus("Copied."),
      () => setStatus("Your browser did not allow that. Select the address and copy it."),
    );
  }
  return (
    <>
      <p>
        <span>{`Published on ${fullDate(publishedAt)}. `}</span>
        <a href={address} target="_blank" rel="noopener">
          See it as others do
          <span className="visually-hidden"> (opens in a new tab)</span>
        </a>
      </p>
      <div className="field">
        <label htmlFor={id}>Its address</label>
        <div className="field-row">
          <input
            id={id}
            readOnly
            value={address}
            onFocus={(event) => event.currentTarget.select()}
          />
          {can.share ? (
            <button className="button" type="button" onClick={share}>
              Share
            </button>
          ) : null}
          {can.copy ? (
            <button className="button plain" type="button" onClick={copy}>
              Copy
            </button>
          ) : null}
        </div>
        <p className="quiet" role="status">
          {status}
        </p>
      </div>
    </>
  );
}

function PostButton({
  action,
  next,
  label,
  busyLabel,
  button,
}: {
  action: string;
  next: string;
  label: string;
  busyLabel: string;
  button: string;
}) {
  const post = usePost(() => next, { preventScrollReset: true });
  return (
    <PostedForm post={post} action={action} button={button}>
      {post.busy ? busyLabel : label}
    </PostedForm>
  );
}
