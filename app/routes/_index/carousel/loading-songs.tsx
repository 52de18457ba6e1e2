/** Shown while the next songs are loading, or after that has failed. */
export function LoadingSongs({ failed }: { failed: boolean }) {
  return (
    <div className="standalone-message">
      {failed ? (
        <p role="alert">
          Your rating has been counted, but the next songs cannot be loaded right now. We will keep
          trying.
        </p>
      ) : (
        <div className="skeleton" aria-hidden="true" />
      )}
      <p role="status">Loading songs to rate... please wait</p>
      <a className="button plain" href="/">
        Reload songs manually
      </a>
    </div>
  );
}
