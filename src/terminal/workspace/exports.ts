/** `export` and `import`: a workspace's record, taken along and back. */
import { resolve } from 'node:path';
import { type Context, command, findJob, print, readState, request } from '../screen/context.ts';
import { plural } from '../text/format.ts';
import { visibleLine } from '../text/visible.ts';

export async function exportVerb(
  context: Context,
  target: string,
  options: { readonly job?: string },
): Promise<number> {
  const { deps, workspace } = context;
  const job = options.job === undefined ? null : findJob(context, await readState(context), options.job).id;
  const exported = await workspace.exportRecord(resolve(deps.cwd, target), job);
  const said = `Exported ${plural(exported.jobs, 'job')} as ${plural(exported.files, 'file')}: ${visibleLine(exported.target)}`;
  print(context, { export: exported }, said);
  return 0;
}

export async function importVerb(context: Context, source: string): Promise<number> {
  const imported = await request(context, 'importRecord', { path: resolve(context.deps.cwd, source) });
  const said = `Imported ${plural(imported.jobs, 'job')} and ${plural(imported.tasks, 'task')}, to look at: ${command(context, 'jobs')}`;
  print(context, { imported }, said);
  return 0;
}
