/** While the package is on its way. */
export function LoadingSongs() {
  return (
    <div className="blank">
      <p role="status">Loading songs to rate... please wait</p>
      <a className="button plain" href="/">
        Reload songs manually
      </a>
    </div>
  );
}
