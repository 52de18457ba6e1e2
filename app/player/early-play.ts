interface HeldPlay extends EventListener {
  form?: HTMLFormElement;
  timer?: number;
}

export function takeHeldPlay(): HTMLFormElement | null {
  const held = (window as { heldPlay?: HeldPlay }).heldPlay;
  if (!held) return null;
  window.removeEventListener("submit", held, true);
  window.clearTimeout(held.timer);
  const { form } = held;
  delete held.form;
  form?.querySelector("button")?.removeAttribute("aria-busy");
  return form ?? null;
}
