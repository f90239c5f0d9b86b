/** Decides which paths of a model mean a folder of its session. Where they lead is checked by the files behind the folder. */

/** What separates the names of a path on this system. */
export type Separator = '/' | '\\';

/** The scratch folder as a shell writes it. `/tmp` is this folder in most sandboxes, and otherwise a folder that commands cannot write. */
const NAMES = ['$TMPDIR', `\${TMPDIR}`, '/tmp'];
/** As PowerShell and cmd write it. */
const WINDOWS_NAMES = ['TMPDIR', 'TEMP', 'TMP'].flatMap((name) => [`$env:${name}`, `%${name}%`]);

/** On Windows, bash writes `C:\Users` as `/c/Users`. */
const namesOf = (path: string, separator: Separator): readonly string[] =>
  separator === '/' ? path.split('/') : path.replace(/^\/([a-z])(?=[\\/]|$)/i, '$1:').split(/[\\/]/);

/** The way from a folder to a path in it, with slashes; null for any other path. */
export function wayBelow(path: string, folder: string, separator: Separator): string | null {
  const [names, start] = [namesOf(path, separator), namesOf(folder, separator)];
  const isSame = (one: string, other = ''): boolean =>
    separator === '/' ? one === other : one.toUpperCase() === other.toUpperCase();
  return start.every((name, at) => isSame(name, names[at])) ? names.slice(start.length).join('/') : null;
}

/** Returns the path from the scratch folder `tmp`, or null if it means something else. The tree may be in `/tmp` too. */
export function wayInScratch(
  path: string,
  { workdir, tmp }: { readonly workdir: string; readonly tmp: string },
  separator: Separator,
): string | null {
  if (wayBelow(path, workdir, separator) !== null) return null;
  const names = separator === '/' ? NAMES : [...NAMES, ...WINDOWS_NAMES];
  const ways = [tmp, ...names].map((name) => wayBelow(path, name, separator));
  return ways.find((way) => way !== null) ?? null;
}
