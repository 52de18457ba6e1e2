/** What the script leaves for the player: the form that was submitted before the player loaded. */
interface HeldPlay extends EventListener {
  form?: HTMLFormElement;
  timer?: number;
}

/**
 * Runs while the page is still being parsed. A PLAY SONG pressed before the player has loaded waits
 * for it for up to 5 seconds; then the form is submitted as it is without JavaScript.
 */
export const earlyPlayScript = `addEventListener("submit",window.heldPlay=function(e){
var f=e.target;
if(!f.classList.contains("play"))return;
e.preventDefault();
document.querySelectorAll("[aria-busy]").forEach(function(b){b.removeAttribute("aria-busy")});
heldPlay.form=f;
f.querySelector("button").setAttribute("aria-busy","true");
heldPlay.timer=heldPlay.timer||setTimeout(function(){
removeEventListener("submit",heldPlay,true);
heldPlay.form.submit()
},5000)
},true)`;

/** Stops holding forms back. @returns the form that was held back, or null. */
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
