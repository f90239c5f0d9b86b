/** `project list`. */

import { projectViews } from '../../core/views/projects.ts';
import { DEFAULT_PROJECT } from '../../shared/projects.ts';
import { type Context, columns, print, readState } from '../context.ts';
import { localDay } from '../text/format.ts';
import { table } from '../text/table.ts';
import { visibleLine } from '../text/visible.ts';

/** Every workspace has a project called `default` without asking. */
export async function projectListVerb(context: Context): Promise<number> {
  const known = projectViews(await readState(context), localDay(context.deps.clock)).map(({ name, status, jobs }) => ({
    id: name,
    status: status as string,
    jobs,
  }));
  const first = known.some(({ id }) => id === DEFAULT_PROJECT);
  const rows = first ? known : [{ id: DEFAULT_PROJECT, status: 'active', jobs: 0 }, ...known];
  const cells = rows.map(({ id, status, jobs }) => [visibleLine(id), status, String(jobs)]);
  const titles = [{ title: 'PROJECT', gives: true }, { title: 'STATUS' }, { title: 'JOBS', align: 'right' as const }];
  print(context, { projects: rows }, table(titles, cells, columns(context)).join('\n'));
  return 0;
}
