import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Every path below a folder → what it is: content hash, mode and link target. `.git` at the top is left out unless asked for. */
export function snapshotOf(
  folder: string,
  withGit = false,
  leftOut: ReadonlySet<string> = new Set(),
): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (at: string, name: string) => {
    for (const entry of readdirSync(at).sort()) {
      const path = name === '' ? entry : `${name}/${entry}`;
      if ((path === '.git' && !withGit) || leftOut.has(path)) continue;
      const stat = lstatSync(join(at, entry));
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isDirectory()) {
        found[`${path}/`] = mode;
        walk(join(at, entry), path);
      } else if (stat.isSymbolicLink()) found[path] = `-> ${readlinkSync(join(at, entry))}`;
      else if (stat.isFile())
        found[path] = `${mode} ${createHash('sha256')
          .update(readFileSync(join(at, entry)))
          .digest('hex')}`;
      else found[path] = `${mode} special`;
    }
  };
  walk(folder, '');
  return found;
}
