import { Sample, Section } from "./section";

const colours = [
  { token: "ground", use: "behind everything" },
  { token: "surface", use: "cards, fields, dialogs" },
  { token: "ink", use: "text" },
  { token: "ink-soft", use: "text that can wait" },
  { token: "line", use: "rules; nothing rests on seeing it" },
  { token: "edge", use: "borders of what can be used" },
  { token: "accent", use: "the one thing to do, stars, tally" },
  { token: "on-accent", use: "text on the accent" },
  { token: "accent-ink", use: "focus, underlines, the accent as text" },
  { token: "ok", use: "it worked" },
  { token: "error", use: "it did not" },
];

const sizes = ["text-tiny", "text-small", "text", "text-large", "title", "heading", "display"];
const spaces = [1, 2, 3, 4, 5, 6, 7, 8].map((step) => `space-${step}`);
const shapes = ["round-small", "round", "round-full", "shadow"];

/** The custom properties: what they look like, and what each is for. */
export function Tokens() {
  return (
    <>
      <Section id="colour" title="Colour">
        <p className="quiet">
          Light and dark go by the system's setting. Text has a contrast of 4.5 to 1 or more on
          ground and surface, edge one of 3 to 1.
        </p>
        <ul className="design-grid">
          {colours.map(({ token, use }) => (
            <li className="design-sample" key={token}>
              <div className={`swatch swatch-${token}`} />
              <code>{`--ff-${token}`}</code>
              <span className="quiet">{use}</span>
            </li>
          ))}
        </ul>
      </Section>
      <Section id="type" title="Type">
        <p className="quiet">The system's own typeface. Headings grow with the window.</p>
        {sizes.map((size) => (
          <Sample key={size} name={`--ff-${size}`}>
            <p className={`size size-${size}`}>Five ratings</p>
          </Sample>
        ))}
        <Sample name=".lead">
          <p className="lead">What a screen is about, in a sentence or two.</p>
        </Sample>
        <Sample name=".quiet">
          <p className="quiet">What is good to know, but not now.</p>
        </Sample>
        <Sample name="a">
          <p>
            More in the <a href="/faq">FAQ</a>
          </p>
        </Sample>
      </Section>
      <Section id="spacing" title="Spacing">
        {spaces.map((space) => (
          <Sample key={space} name={`--ff-${space}`}>
            <div className={`bar bar-${space}`} />
          </Sample>
        ))}
        <p className="quiet">
          <code>--ff-target</code> is the height of buttons and fields, <code>--ff-measure</code>{" "}
          the widest line of text, <code>--ff-column</code> the widest page.
        </p>
      </Section>
      <Section id="shape" title="Shape and motion">
        <ul className="design-grid">
          {shapes.map((shape) => (
            <li className="design-sample" key={shape}>
              <div className={`swatch shape-${shape}`} />
              <code>{`--ff-${shape}`}</code>
            </li>
          ))}
        </ul>
        <p className="quiet">
          <code>--ff-quick</code> is for what answers a hand, <code>--ff-calm</code> for what waits.
          Both are nothing where reduced motion is asked for.
        </p>
      </Section>
    </>
  );
}
