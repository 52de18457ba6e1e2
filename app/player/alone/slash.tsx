/** Four strokes of a tally, across which its slash grows: how far an upload has come, or a sound. */
export function Slash({ of, label }: { of: number; label?: string }) {
  return (
    <span className="choices bare" aria-hidden={label ? undefined : true}>
      <progress value={Math.min(1, of)} aria-label={label} hidden={!label && of === 0} />
    </span>
  );
}
