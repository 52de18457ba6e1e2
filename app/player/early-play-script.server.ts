/**
 * Runs while the page is being parsed. A PLAY SONG pressed before the player has loaded waits for it for 5
 * seconds; then the form is submitted as without scripts. If the player never loads, the button of the
 * ratings appears (rating-panel.css).
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
},true);
setTimeout(function(){document.documentElement.classList.add("plain")},9000)`;
