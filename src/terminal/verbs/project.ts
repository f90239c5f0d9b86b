/** `project list`. */
import { type Context, columns, print, readState } from '../context.ts';
import { table } from '../text/table.ts';
import { visibleLine } from '../text/visible.ts';

/** Every workspace has a project called `default` without asking. */
export async function projectListVerb(context: Context): Promise<number> {
  const state = await readState(context);
  const known = [...state.projects.values()].map(({ id, status }) => ({ id, status: status as string }));
  const projects = known.some(({ id }) => id === 'default') ? known : [{ id: 'default', status: 'active' }, ...known];
  const rows = projects.map(({ id, status }) => {
    const jobs = [...state.jobs.values()].filter((job) => job.project_id === id).length;
    return { id, status, jobs };
  });
  const cells = rows.map(({ id, status, jobs }) => [visibleLine(id), status, String(jobs)]);
  const titles = [{ title: 'PROJECT', gives: true }, { title: 'STATUS' }, { title: 'JOBS', align: 'right' as const }];
  print(context, { projects: rows }, table(titles, cells, columns(context)).join('\n'));
  return 0;
}
