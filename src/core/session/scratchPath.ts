/** Decides which paths of a model mean the scratch folder of its session. */

/** The folder as a shell writes it. `/tmp` is this folder in most sandboxes, and otherwise a folder that commands cannot write. */
const NAMES = ['$TMPDIR', `\${TMPDIR}`, '/tmp'];

const below = (path: string, folder: string): string | null => {
  if (path === folder) return '';
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
};

/** Returns the path from the scratch folder `tmp`, or null if it means something else. The tree may be in `/tmp` too. */
export function wayInScratch(path: string, { workdir, tmp }: { readonly workdir: string; readonly tmp: string }) {
  if (below(path, workdir) !== null) return null;
  const ways = [tmp, ...NAMES].map((name) => below(path, name));
  return ways.find((way) => way !== null) ?? null;
}
