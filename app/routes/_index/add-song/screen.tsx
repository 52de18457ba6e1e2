import type { Eligibility } from "~/domain/submission/eligibility";
import { AddSong, type AddSongProps } from "./add-song";
import { NotYet } from "./not-yet";

/** The add-song screen, or how many songs the viewer has to rate first. */
export function AddSongScreen({
  eligibility,
  ...search
}: AddSongProps & { eligibility: Eligibility }) {
  if (!eligibility.eligible) return <NotYet remaining={eligibility.remaining} />;
  return <AddSong {...search} />;
}
