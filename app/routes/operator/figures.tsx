import type { DailyFigures, FigureName } from "~/operator/figures";
import { dayAndMonth } from "~/platform/dates";

interface Chart {
  heading: string;
  figure: FigureName;
  /** A figure drawn behind the other, which is never larger. */
  behind?: FigureName;
  unit?: string;
  about: string;
}

const charts: Chart[] = [
  { heading: "Logins", figure: "logins", about: "Logins with Spotify that were completed." },
  {
    heading: "Listens",
    figure: "listens",
    about: "Songs started, whether or not they were heard for long enough to be rated.",
  },
  { heading: "Ratings", figure: "ratings", about: "Ratings given." },
  {
    heading: "Passes",
    figure: "passes",
    about: "Songs that somebody passed on or reported.",
  },
  {
    heading: "Submissions",
    figure: "submissions",
    about: "Songs submitted.",
  },
  {
    heading: "Wait until five",
    figure: "halfHours",
    behind: "nineTenthsHours",
    unit: " h",
    about:
      "How long the songs had waited that got the last of their five ratings that day. Full bars: half of them waited no longer. Outlines: nine of ten.",
  },
  {
    heading: "Ratings owed",
    figure: "owed",
    about: "Ratings still owed to the songs in the rotation when the day began.",
  },
  {
    heading: "Visits without a song",
    figure: "emptyVisits",
    about: "How often a member opened the carousel and found no song to rate.",
  },
  {
    heading: "Mails sent",
    figure: "mailsSent",
    about: "Mails that the mail provider accepted.",
  },
  { heading: "Mails failed", figure: "mailsFailed", about: "Mails that were given up on." },
  {
    heading: "Mails waiting",
    figure: "mailsWaiting",
    about:
      "Mails that were due but not sent by the end of the day. Ratings that are gathered for a later mail do not count.",
  },
  {
    heading: "Premium members",
    figure: "premiumMembers",
    about: "Members with premium at the end of the day, those with an overdue payment included.",
  },
  {
    heading: "Jobs failed",
    figure: "jobsFailed",
    about: "Runs of a scheduled job that ended in an error.",
  },
];

const columns = charts.flatMap(({ heading, figure, behind, unit }) =>
  behind
    ? [
        { heading: `${heading}, half`, figure, unit },
        { heading: `${heading}, nine of ten`, figure: behind, unit },
      ]
    : [{ heading, figure, unit }],
);

/**
 * The last thirty days as small charts, one for each figure, and as a table.
 * @param days oldest first, ending today; empty before anything was counted (`toFigures`).
 */
export function Figures({ days }: { days: DailyFigures[] }) {
  return (
    <section className="figures" aria-labelledby="figures">
      <h2 id="figures">Thirty days at a glance</h2>
      {days.length === 0 ? (
        <p>No day has been counted yet. The first numbers come within ten minutes.</p>
      ) : (
        <>
          <p className="figures-note">
            Days are in UTC. Today is counted every hour, so its numbers still change.
          </p>
          <ul className="figure-list">
            {charts.map((chart) => (
              <li key={chart.figure}>
                <Figure chart={chart} days={days} />
              </li>
            ))}
          </ul>
          <FiguresTable days={days} />
        </>
      )}
    </section>
  );
}

function Figure({ chart, days }: { chart: Chart; days: DailyFigures[] }) {
  const { heading, figure, behind, unit = "", about } = chart;
  const values = days.map((day) => day[figure]);
  const others = behind ? days.map((day) => day[behind]) : [];
  const top = highest([...values, ...others]);
  const wide = drawBars(others, top, 0.5);
  const bars = drawBars(values, top, behind ? 3 : 1);
  return (
    <>
      <h3>{heading}</h3>
      <p className="figure-numbers">
        <span>
          <b>{numbers(chart, days.at(-1))}</b> today
        </span>
        <span>{numbers(chart, days.at(-8))} a week ago</span>
      </p>
      <svg
        viewBox={`0 0 ${days.length * slot} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={inWords(chart, days)}
      >
        <path className="behind" d={wide.before + wide.last} />
        <path d={bars.before} />
        <path className="today" d={bars.last} />
      </svg>
      <p className="figure-ends" aria-hidden="true">
        <span>{days[0] ? dateOf(days[0]) : ""}</span>
        <span>{`highest ${shown(top)}${unit}`}</span>
        <span>today</span>
      </p>
      <p className="figures-note">{about}</p>
    </>
  );
}

function numbers({ figure, behind, unit = "" }: Chart, day: DailyFigures | undefined): string {
  const values = [figure, ...(behind ? [behind] : [])].map((name) => day?.[name] ?? null);
  return values.includes(null) ? "–" : `${values.map(shown).join(" / ")}${unit}`;
}

function inWords(chart: Chart, days: DailyFigures[]): string {
  const { heading, figure } = chart;
  const known = days.filter((day) => day[figure] !== null);
  const [least, ...others] = known.toSorted((a, b) => (a[figure] ?? 0) - (b[figure] ?? 0));
  const most = others.at(-1);
  const describe = (day: DailyFigures) => `${numbers(chart, day)} on ${dateOf(day)}`;
  if (!least) return `${heading}: not known of any day`;
  if (!most) return `${heading}: ${describe(least)}`;
  return `${heading}, ${known.length} days: from ${describe(least)} to ${describe(most)}`;
}

function FiguresTable({ days }: { days: DailyFigures[] }) {
  return (
    <details className="panel figures-table">
      <summary>
        <h3>All numbers</h3>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <section tabIndex={0} aria-label="All numbers, by day">
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {columns.map(({ heading, unit = "" }) => (
                <th key={heading} scope="col">
                  {heading}
                  {unit && ","}
                  {unit}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((day) => (
              <tr key={day.day}>
                <th scope="row">{day.day}</th>
                {columns.map(({ figure }) => (
                  <td key={figure}>{shown(day[figure])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="figures-note">
        – means no number: nothing was counted that day, or no song got its last rating.
      </p>
    </details>
  );
}

function shown(value: number | null): string {
  return value === null ? "–" : value.toLocaleString("en-US");
}

function dateOf({ day }: DailyFigures): string {
  return dayAndMonth(Date.parse(day));
}

/** Geometry of a small bar chart with a bar for each day, in units that the drawing scales to its size. */

export const slot = 10;
const height = 60;

/** The minimum height of a bar for zero and for any other value, to tell them apart. */
const minZeroHeight = 1;
const minHeight = 4;

interface Bars {
  before: string;
  last: string;
}

export function highest(values: (number | null)[]): number {
  return values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
}

/**
 * Draws a bar for each known value.
 * @param top the value of a bar of full height.
 * @param gap the space on either side of a bar.
 */
export function drawBars(values: (number | null)[], top: number, gap = 1): Bars {
  const bars = values.map((value, place) => {
    if (value === null) return "";
    const least = value === 0 ? minZeroHeight : minHeight;
    const high = Math.max(least, top > 0 ? rounded((value / top) * height) : 0);
    const width = slot - 2 * gap;
    return `M${place * slot + gap} ${height}v${-high}h${width}v${high}z`;
  });
  return { before: bars.slice(0, -1).join(""), last: bars.at(-1) ?? "" };
}

function rounded(length: number): number {
  return Math.round(length * 10) / 10;
}
