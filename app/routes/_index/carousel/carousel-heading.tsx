import type { Eligibility } from "~/domain/submission/eligibility";
import { counted } from "~/platform/text";
import { UploadLink } from "~/routes/_index/upload-link";

/**
 * 'PLAY and RATE' with the way to the next submission: how many songs are still to rate, or,
 * when none, the link to the add-song screen.
 */
export function CarouselHeading({
  remaining,
  eligibility,
  offerUpload = true,
}: {
  remaining: number;
  eligibility: Eligibility;
  /** Off where the screen below brings the link itself (NoSongs, NoMoreSongs). */
  offerUpload?: boolean;
}) {
  const cost = Math.max(eligibility.cost, remaining, 1);
  return (
    <header className="carousel-heading">
      <h1>PLAY and RATE</h1>
      <div className="goal">
        <p id="goal">
          {eligibility.eligible
            ? "You can submit a song now."
            : `${counted(remaining, "song")} to rate before you can submit yours.`}
        </p>
        <progress aria-labelledby="goal" max={cost} value={cost - remaining} />
      </div>
      {offerUpload && eligibility.eligible ? <UploadLink /> : null}
    </header>
  );
}
