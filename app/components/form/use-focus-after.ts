import { type RefObject, useEffect, useRef } from "react";

/**
 * Focuses a heading when a value changes, because the pressed button disappears. The heading needs
 * `tabIndex={-1}`.
 */
export function useFocusAfter(value: unknown): RefObject<HTMLHeadingElement> {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    heading.current?.focus({ preventScroll: true });
  }, [value]);
  return heading;
}
