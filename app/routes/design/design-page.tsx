import { Controls } from "./controls";
import { Pieces } from "./pieces";
import { Tokens } from "./tokens";

const contents = [
  "Colour",
  "Type",
  "Spacing",
  "Shape",
  "Buttons",
  "Fields",
  "Notices",
  "Badges",
  "Cards",
  "Skeleton",
  "Dialog",
  "Marks",
  "Dots",
  "Song",
  "Progress",
];

/** The design system on one page: a sample of every token and class, with its name. */
export function DesignPage() {
  return (
    <div className="design">
      <h1>Design</h1>
      <p className="lead">
        What every screen is made of. The tokens and classes are in <code>app/styles</code>, and
        those of one screen beside that screen. This page exists in development only.
      </p>
      <nav aria-label="On this page">
        <ul className="design-contents">
          {contents.map((title) => (
            <li key={title}>
              <a href={`#${title.toLowerCase()}`}>{title}</a>
            </li>
          ))}
        </ul>
      </nav>
      <Tokens />
      <Controls />
      <Pieces />
    </div>
  );
}
