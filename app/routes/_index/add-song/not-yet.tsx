import { counted } from "~/platform/text";

/** The add-song screen for a viewer who still has songs to rate first. */
export function NotYet({ remaining }: { remaining: number }) {
  return (
    <div className="standalone-message">
      <h1>Not yet</h1>
      <p>{`Rate ${counted(remaining, "more song")}, then you can submit yours.`}</p>
      <a className="button" href="/">
        take me Back to the Carousel
      </a>
    </div>
  );
}
