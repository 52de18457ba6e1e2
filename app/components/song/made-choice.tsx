import { howMade, type Made, madeTexts } from "~/sources/made";

export function RightsBox() {
  return (
    <p className="checkbox-form">
      <label>
        <input type="checkbox" name="rights" value="yes" required />
        <span>This recording is mine, or I may let others hear it.</span>
      </label>
    </p>
  );
}

/** Asks how a song was made (rule 48, made): of an upload without an answer, of a track with the usual one. */
export function MadeChoice({ chosen }: { chosen?: Made }) {
  return (
    <div className="checkbox-form">
      <fieldset>
        <legend>How was it made?</legend>
        {howMade.map((made) => (
          <label key={made}>
            <input
              type="radio"
              name="made"
              value={made}
              required
              defaultChecked={made === chosen}
            />
            <span>{madeTexts[made]}</span>
          </label>
        ))}
      </fieldset>
      <p className="quiet">
        You say so by submitting it. Listeners read it where people have not made all of it.
      </p>
    </div>
  );
}
