import type { ReactNode } from "react";
import type { Eligibility } from "~/exchange/submission/eligibility";
import { UploadLink } from "~/routes/_index/empty-pool/upload-link";

/**
 * 'PLAY and RATE' with the progress towards the next submission, or the link to the add-song screen once it
 * is reached.
 */
export function CarouselHeading({
  eligibility,
  goal,
  offerUpload = true,
  children,
}: {
  eligibility: Eligibility;
  /** The progress in words; null if the screen below says why there is none. */
  goal: string | null;
  /** False if the screen below has the link itself (NoSongs). */
  offerUpload?: boolean;
  /** A message that covers the progress, if there is one. */
  children?: ReactNode;
}) {
  if (goal === null) {
    return (
      <header className="carousel-heading">
        <h1>PLAY and RATE</h1>
      </header>
    );
  }
  const { eligible, remaining, credits } = eligibility;
  const most = Math.max(1, credits + (eligible ? 0 : Math.max(1, remaining)));
  return (
    <header className="carousel-heading">
      <h1>PLAY and RATE</h1>
      <div className="goal">
        <p id="goal">{goal}</p>
        <progress aria-labelledby="goal" max={most} value={eligible ? most : credits} />
        {children}
      </div>
      {offerUpload && eligible ? <UploadLink /> : null}
    </header>
  );
}
