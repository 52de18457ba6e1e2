import { Sample, Section } from "./section";

const colours = [
  { token: "ground", use: "behind everything" },
  { token: "surface", use: "cards, fields, dialogs" },
  { token: "ink", use: "text" },
  { token: "ink-soft", use: "secondary text" },
  { token: "line", use: "dividing lines; decoration only" },
  { token: "edge", use: "borders of controls" },
  { token: "accent", use: "the main button, stars, tally" },
  { token: "on-accent", use: "text on the accent" },
  { token: "accent-ink", use: "focus, underlines, the accent as text" },
  { token: "ok", use: "success" },
  { token: "error", use: "failure" },
];

const sizes = ["text-tiny", "text-small", "text", "text-large", "title", "heading", "display"];
const spaces = [1, 2, 3, 4, 5, 6, 7, 8].map((step) => `space-${step}`);
const shapes = ["radius-small", "radius", "radius-full", "shadow"];

/** The design tokens, each with a sample and its purpose. */
export function Tokens() {
  return (
    <>
      <Section id="colour" title="Colour">
        <p className="quiet">
          Light or dark follows the system's setting. Text has a contrast of at least 4.5 to 1 on
          ground and surface, edge of at least 3 to 1.
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
        <p className="quiet">The system's own typeface. Headings grow with the window's width.</p>
        {sizes.map((size) => (
          <Sample key={size} name={`--ff-${size}`}>
            <p className={`size size-${size}`}>Five ratings</p>
          </Sample>
        ))}
        <Sample name=".lead">
          <p className="lead">What a screen is about, in one or two sentences.</p>
        </Sample>
        <Sample name=".quiet">
          <p className="quiet">Additional information that can wait.</p>
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
          <code>--ff-target-size</code> is the height of buttons and fields,{" "}
          <code>--ff-text-width</code> the maximum width of text, and <code>--ff-page-width</code>{" "}
          that of the page.
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
          <code>--ff-duration-short</code> is for responses to the user,{" "}
          <code>--ff-duration-long</code> for what shows that something is loading. Both are 0 if
          the user prefers reduced motion.
        </p>
      </Section>
    </>
  );
}
