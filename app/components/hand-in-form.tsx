import { ButtonForm } from "~/components/form/button-form";
import { MadeChoice } from "~/components/song/made-choice";
import { roundPath } from "~/exchange/round/round";
import type { PendingRound } from "~/exchange/round/round.server";

/** Hands a song in to a round, on the pages where one would submit it. */
export function HandInForm({
  round: { token, name, hasSong },
  song,
}: {
  round: PendingRound;
  song: { trackId: string } | { recording: string };
}) {
  const path = roundPath(token);
  return (
    <>
      <ButtonForm
        action={`${path}/hand-in`}
        fields={song}
        to={path}
        accented={!hasSong}
        before={"trackId" in song ? <MadeChoice chosen="people" /> : null}
      >
        <span>Hand it in to </span>
        <bdi>{name}</bdi>
      </ButtonForm>
      <p className="quiet">
        {hasSong ? "It takes the place of the song that you have handed in." : "It costs nothing."}
      </p>
    </>
  );
}
