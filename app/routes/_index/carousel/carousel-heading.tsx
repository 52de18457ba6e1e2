import type { ReactNode } from "react";
import type { Eligibility } from "~/domain/submission/eligibility";
import { counted } from "~/platform/text";
import { UploadLink } from "~/routes/_index/upload-link";

/**
 * 'PLAY and RATE', and how many songs the viewer still has to rate before the next submission; if
 * none, the link to the add-song screen.
 */
export function CarouselHeading({
  remaining,
  eligibility,
  offerUpload = true,
  away = false,
  children,
}: {
  remaining: number;
  eligibility: Eligibility;
  /** False if the screen below the heading has the link itself (NoSongs). */
  offerUpload?: boolean;
  /** There is nothing to say of the next submission: the screen below says why. */
  away?: boolean;
  /** Covers how many songs are left, if there is anything to say first. */
  children?: ReactNode;
}) {
  if (away) {
    return (
      <header className="carousel-heading">
        <h1>PLAY and RATE</h1>
      </header>
    );
  }
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
        {children}
      </div>
      {offerUpload && eligibility.eligible ? <UploadLink /> : null}
    </header>
  );
}
