/** What is said of a round, under its name. */
export function RoundHeading({
  name,
  isHost = false,
  children,
}: {
  name: string;
  isHost?: boolean;
  children: string;
}) {
  return (
    <h1>
      <small>
        {isHost ? <span>Your </span> : null}
        <bdi>{name}</bdi>
      </small>{" "}
      <span>{children}</span>
    </h1>
  );
}
