/** Paths of the project as notes name them: relative to its top folder, with `/`. */
import path from 'node:path';

/** Returns null for a file outside the project. */
export function projectFile(projectDir: string | null, file: string): string | null {
  if (projectDir === null) return null;
  const relative = path.relative(projectDir, file);
  const segments = relative.split(path.sep);
  if (relative === '' || segments[0] === '..' || path.isAbsolute(relative)) return null;
  return segments.join('/');
}
