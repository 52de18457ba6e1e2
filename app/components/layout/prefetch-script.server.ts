/**
 * Fetches the scripts of the screen that a link leads to as soon as a finger, a pointer or the
 * keyboard's focus is on the link. Remix's own `prefetch` would fetch the screen's data as well, which
 * records a visit, marks ratings as seen, and is fetched once more by the press. Each script is asked
 * for in a task of its own: all in one would hold up the press.
 */
export const prefetchScript = `var seen={};["pointerover","focusin"].forEach(function(type){
addEventListener(type,function(e){
var a=e.target.closest&&e.target.closest("a[href]"),m=window.__remixManifest;
if(!a||!m||seen[a.pathname]||!navigator.onLine||a.origin!==location.origin)return;
seen[a.pathname]=1;
var asked=a.pathname.slice(1).split("/");
Object.values(m.routes).forEach(function(r){
var path=(r.path||"*").split("/");
if(path.length!==asked.length||!path.every(function(p,i){return p===asked[i]||p[0]===":"}))return;
[r.module].concat(r.imports||[]).forEach(function(file){
if(seen[file]||document.querySelector('link[href="'+file+'"]'))return;
seen[file]=1;
setTimeout(function(){import(file).catch(Object)})
})})})})`;
