import { Crown, MenuLines, Star, Tally } from "~/components/icons";
import { Notice } from "~/components/notice";
import { TierBadge } from "~/components/premium/tier-badge";
import { OpinionDots } from "~/components/result/opinion-dots";
import { OpinionKey } from "~/components/result/opinion-key";
import { RangeBar } from "~/components/result/range-bar";
import { ReceivedTally } from "~/components/result/received-tally";
import { Sample, Section } from "./section";

/**
 * The components of which screens are built. The table and the song's title are written out here, because
 * sharing their components would split the carousel's scripts into more and smaller files.
 */
export function Pieces() {
  return (
    <>
      <Section id="notices" title="Notices">
        <p className="quiet">The shape of the mark says the same as the colour.</p>
        <Sample name=".notice.info">
          <Notice tone="info">Your login has ended. Please log in again.</Notice>
        </Sample>
        <Sample name=".notice.ok">
          <Notice tone="ok">Your choice is saved.</Notice>
        </Sample>
        <Sample name=".notice.error">
          <Notice tone="error">
            Spotify does not answer. Nothing is lost: please try again in a moment.
          </Notice>
        </Sample>
      </Section>
      <Section id="badges" title="Badges">
        <div className="design-row">
          <Sample name=".badge.free">
            <TierBadge tier="free" />
          </Sample>
          <Sample name=".badge.premium">
            <TierBadge tier="premium" />
          </Sample>
        </div>
      </Section>
      <Section id="cards" title="Cards">
        <Sample name=".card">
          <div className="card">
            <h3>A part of its own</h3>
            <p>On the surface colour, with a border.</p>
          </div>
        </Sample>
        <Sample name=".comparison">
          <table className="comparison">
            <thead>
              <tr>
                <td />
                <th scope="col">Free</th>
                <th scope="col">Premium</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">Ratings you see</th>
                <td>Latest 2</td>
                <td>All</td>
              </tr>
            </tbody>
          </table>
        </Sample>
        <Sample name="details.panel">
          <details className="panel">
            <summary>
              <h3>Opens and closes</h3>
            </summary>
            <p>Without a script.</p>
          </details>
        </Sample>
      </Section>
      <Section id="skeleton" title="Skeleton">
        <p className="quiet">
          Takes the place of what is loading; it does not move if the user prefers reduced motion.
        </p>
        <Sample name=".skeleton">
          <div className="skeleton" />
        </Sample>
      </Section>
      <Section id="dialog" title="Dialog">
        <Sample name="dialog.modal, .modal-body, .modal-actions">
          <dialog className="modal design-dialog" open aria-labelledby="design-dialog">
            <div className="modal-body">
              <h3 id="design-dialog">Playback Paused</h3>
              <p>Resume the song on your Spotify app to go on.</p>
              <div className="modal-actions">
                <button className="button" type="button">
                  Resume
                </button>
                <button className="button plain" type="button">
                  Close
                </button>
              </div>
            </div>
          </dialog>
        </Sample>
      </Section>
      <Section id="marks" title="Tally and icons">
        <div className="design-row">
          {[1, 2, 3, 4, 5].map((count) => (
            <Sample key={count} name={`Tally ${count}`}>
              <Tally count={count} />
            </Sample>
          ))}
          <Sample name="Star">
            <Star />
          </Sample>
          <Sample name="Crown">
            <Crown />
          </Sample>
          <Sample name="MenuLines">
            <MenuLines />
          </Sample>
        </div>
      </Section>
      <Section id="dots" title="Dots">
        <p className="quiet">One for each rating: the shape says the same as the colour.</p>
        <Sample name="OpinionDots">
          <OpinionDots scores={[1, 2, 3, 4, 3]} />
        </Sample>
        <Sample name="OpinionKey">
          <OpinionKey scores={[1, 2, 3, 4, 3]} />
        </Sample>
        <Sample name="RangeBar">
          <RangeBar low={25} high={85} average={54} />
        </Sample>
        <Sample name="ReceivedTally">
          <ReceivedTally received={7} entitled={10} />
        </Sample>
      </Section>
      <Section id="song" title="Song title">
        <Sample name=".song-title">
          <p>
            <a className="song-title" href="https://open.spotify.com/">
              Mara Lind - Harbour Lights
            </a>
          </p>
        </Sample>
      </Section>
      <Section id="progress" title="Progress">
        <Sample name=".goal progress">
          <div className="goal">
            <p id="design-goal">2 songs to rate before you can submit yours.</p>
            <progress aria-labelledby="design-goal" max={6} value={4} />
          </div>
        </Sample>
      </Section>
    </>
  );
}
