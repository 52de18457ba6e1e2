import type { ReactNode } from "react";
import type { Eligibility } from "~/domain/submission/eligibility";
import { UploadLink } from "~/routes/_index/empty-pool/upload-link";

/**
 * 'PLAY and RATE', and what it takes until the viewer may submit a song; if nothing, the link to the
 * add-song screen.
 */
export function CarouselHeading({
  eligibility,
  goal,
  offerUpload = true,
  children,
}: {
  eligibility: Eligibility;
  /** The way to the next submission, in a line; null where the screen below says why there is none. */
  goal: string | null;
  /** False if the screen below the heading has the link itself (NoSongs). */
  offerUpload?: boolean;
  /** Covers how many songs are left, if there is anything to say first. */
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
