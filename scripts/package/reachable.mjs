const IMPORT = /\b(?:from|import)\s*\(?\s*["'`]\.\/([\w.-]+\.js)["'`]/g;

/**
 * The built files that these entries load, themselves included: what they import, and what that imports. `read` gives a
 * file's text; null: there is none, since a text inside the program looks like an import too.
 */
export function reachable(entries, read) {
  const found = new Set();
  const open = [...entries];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    const text = read(name);
    if (text === null) continue;
    found.add(name);
    open.push(...[...text.matchAll(IMPORT)].map(([, other]) => other));
  }
  return found;
}
