/** `project templates` and `project memory`: what is kept in files. */
import { need } from '../../core/rows.ts';
import { type Context, print, readState } from '../context.ts';
import { visibleBlock, visibleLine } from '../text/visible.ts';

export async function templatesVerb(context: Context): Promise<number> {
  const templates = await context.deps.templates(context.projectDir);
  print(context, { templates }, templates.map(visibleLine).join('\n'));
  return 0;
}

/** The files of a project's memory, or what one of them says. */
export async function memoryVerb(context: Context, project: string, path: string | undefined): Promise<number> {
  need(await readState(context), 'projects', project);
  const text = await context.deps.projectMemory(context.projectDir, project, path ?? null);
  print(context, { project: { id: project }, path: path ?? null, text }, visibleBlock(text));
  return 0;
}
