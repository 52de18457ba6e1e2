/** Shown while the next package is loading. */
export function LoadingSongs() {
  return (
    <div className="standalone-message">
      <div className="skeleton" aria-hidden="true" />
      <p role="status">Loading songs to rate... please wait</p>
      <a className="button plain" href="/">
        Reload songs manually
      </a>
    </div>
  );
}
