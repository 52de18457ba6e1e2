import { Link } from "@remix-run/react";

export interface NewsLine {
  to: string;
  /** The song's, if it is about one. */
  title: string | null;
  words: string;
  isNew: boolean;
}

/** One line: ratings of own songs that their owner has not seen, or what was just submitted. */
export function News({ to, title, words, isNew }: NewsLine) {
  return (
    <p className="news-line">
      {isNew ? <span className="news-dot" /> : null}
      <Link to={to}>
        {title ? <bdi translate="no">{title}</bdi> : null}
        <span>{` ${words}`}</span>
      </Link>
    </p>
  );
}
