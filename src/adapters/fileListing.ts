/** A bounded listing of a repository for the planner: paths in order, folders that hold no source left out. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const MAX_PATHS = 800;
const LEFT_OUT = new Set(['.git', 'node_modules', '.venv', 'target', '.autonomous']);

/** Breadth first, so that what is cut lies deepest; the last line says what was cut. Links are not followed. */
export async function listFiles(folder: string): Promise<string> {
  const paths: string[] = [];
  const queue = [''];
  for (let at = queue.shift(); at !== undefined && paths.length < MAX_PATHS; at = queue.shift()) {
    const entries = await readdir(join(folder, at), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!LEFT_OUT.has(entry.name)) queue.push(path);
      } else {
        paths.push(path);
      }
    }
  }
  const shown = paths.slice(0, MAX_PATHS).sort();
  const cut = paths.length > MAX_PATHS || queue.length > 0 ? ['(more files are not listed)'] : [];
  return [...shown, ...cut].join('\n');
}
