/**
 * Fetches the scripts of the screen that a link leads to as soon as a finger, a pointer or the
 * keyboard's focus is on the link. Remix's own `prefetch` would fetch the screen's data as well, which
 * records a visit, marks ratings as seen, and is fetched once more by the press.
 */
export const prefetchScript = `var seen={};["pointerover","focusin"].forEach(function(type){
addEventListener(type,function(e){
var a=e.target.closest&&e.target.closest("a[href]"),m=window.__remixManifest;
if(!a||!m||!navigator.onLine||a.origin!==location.origin)return;
Object.values(m.routes).forEach(function(r){
if(!r.path||r.path==="*")return;
if(!RegExp("^/"+r.path.replace(/:[^/]+/g,"[^/]+")+"$").test(a.pathname))return;
[r.module].concat(r.imports||[]).forEach(function(file){
if(seen[file]||document.querySelector('link[href="'+file+'"]'))return;
seen[file]=1;
import(file).catch(Object)
})
})})})`;
