import { Sample, Section } from "./section";

/** Buttons and fields in all their states. */
export function Controls() {
  return (
    <>
      <Section id="buttons" title="Buttons">
        <p className="quiet">
          One accent button on each screen, for the next thing to do. The others are plain.
        </p>
        <div className="design-row">
          <Sample name=".button">
            <button className="button" type="button">
              PLAY SONG
            </button>
          </Sample>
          <Sample name=".button.plain">
            <button className="button plain" type="button">
              Back
            </button>
          </Sample>
          <Sample name=".button.danger">
            <button className="button danger" type="button">
              Delete my account
            </button>
          </Sample>
          <Sample name=".button.small">
            <button className="button small" type="button">
              Subscribe
            </button>
          </Sample>
          <Sample name=".button.plain.small">
            <button className="button plain small" type="button">
              Logout
            </button>
          </Sample>
          <Sample name=".button :disabled">
            <button className="button" type="button" disabled>
              Rate this song
            </button>
          </Sample>
          <Sample name='.button [aria-disabled="true"]'>
            <button className="button" type="button" aria-disabled="true">
              Processing...
            </button>
          </Sample>
          <Sample name="a.button">
            <a className="button plain" href="/">
              Go to Homepage
            </a>
          </Sample>
        </div>
      </Section>
      <Section id="fields" title="Fields">
        <div className="field">
          <label htmlFor="design-plain">Your address</label>
          <p className="quiet" id="design-help">
            We write to it when somebody has rated your song.
          </p>
          <input id="design-plain" type="email" aria-describedby="design-help" />
          <code>.field: label, .quiet, input</code>
        </div>
        <div className="field">
          <label htmlFor="design-wrong">Your address</label>
          <input
            id="design-wrong"
            type="email"
            defaultValue="mara@"
            aria-invalid="true"
            aria-describedby="design-error"
          />
          <p className="field-error" id="design-error">
            This address is not complete.
          </p>
          <code>{'[aria-invalid="true"], .field-error'}</code>
        </div>
        <div className="field">
          <label htmlFor="design-row">Another address</label>
          <div className="field-row">
            <input id="design-row" type="email" />
            <button className="button" type="button">
              Send me a link
            </button>
          </div>
          <code>.field-row</code>
        </div>
        <div className="field">
          <label htmlFor="design-disabled">Not now</label>
          <input id="design-disabled" type="text" disabled />
          <code>:disabled</code>
        </div>
        <div className="checkbox-form">
          <label>
            <input type="checkbox" defaultChecked />
            <span>Receive an Email when I get a new Rating</span>
          </label>
          <code>.checkbox-form</code>
        </div>
      </Section>
    </>
  );
}
