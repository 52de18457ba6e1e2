import { counted } from "~/platform/text";

/** Shown in place of the add-song screen to a viewer who has to rate more songs first. */
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
