import { useNavigate } from "@remix-run/react";
import { useEffect, useState } from "react";
import { SongAdded, type SongAddedProps } from "./song-added";

/**
 * The confirmation of a submission, which leads back to the carousel after `seconds` (spec section
 * 9). The "No More Songs" confirmation stays.
 */
export function CountedDown(props: Omit<SongAddedProps, "secondsLeft"> & { seconds: number }) {
  const { seconds, ...song } = props;
  const { limited } = song;
  const [left, setLeft] = useState(seconds);
  const navigate = useNavigate();
  useEffect(() => {
    if (limited) return;
    if (left <= 0) {
      navigate("/", { replace: true });
      return;
    }
    const timer = window.setTimeout(() => setLeft(left - 1), 1000);
    return () => window.clearTimeout(timer);
  }, [left, limited, navigate]);
  return <SongAdded {...song} secondsLeft={limited ? null : left} />;
}
