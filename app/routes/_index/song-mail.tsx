import { type FormEvent, useState } from "react";
import { postForm } from "~/components/form/post-form";
import { useRefresh } from "~/components/form/use-fresh-data";
import { Notice } from "~/components/notice";
import type { SongMail } from "~/domain/song-wish/meanwhile";

/**
 * Offers a mail when there are songs to rate again, or takes it back. A plain form, which a script
 * sends in the background; what it says comes from the server either way.
 */
export function SongMailForm({
  address,
  ended,
  asked,
  next,
}: SongMail & {
  /** The path of the screen that the plain form leads back to. */
  next: string;
}) {
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const { refresh } = useRefresh();

  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (sending) return;
    setSending(true);
    postForm("/song-mail", { wanted: String(!asked) }).then((answer) => {
      setSending(false);
      setError(answer.ok ? null : (answer.error ?? "That did not work. Please try again."));
      refresh();
    });
  }

  if (!address || ended) {
    return (
      <p>
        {address ? (
          <>
            <bdi>{address}</bdi> has unsubscribed from e-mails about new songs to rate.{" "}
          </>
        ) : (
          "We could write to you when there are songs again, but we know no address of yours. "
        )}
        <a href="/account#address">{address ? "Get them again" : "Give us an address"}</a>
      </p>
    );
  }
  return (
    <form className="song-mail" method="post" action="/song-mail" onSubmit={send}>
      <input type="hidden" name="wanted" value={String(!asked)} />
      <input type="hidden" name="next" value={next} />
      <button
        className={asked ? "button plain" : "button"}
        type="submit"
        aria-disabled={sending || undefined}
        // The second click of a double click would take back what the first one has just asked for.
        onClick={(event) => event.detail > 1 && event.preventDefault()}
      >
        {asked ? "Do not mail me" : "Mail me when there are songs again"}
      </button>
      <p role="status">
        {asked ? "We will write once, when there are songs again, to " : "Once, to "}
        <bdi>{address}</bdi>.
      </p>
      {error ? <Notice tone="error">{error}</Notice> : null}
    </form>
  );
}
