/** `project list --found`, `project templates` and `project memory`: what is kept in files. */
import { need } from '../../core/rows.ts';
import { type Context, command, print, readState } from '../context.ts';
import { visibleBlock, visibleLine } from '../text/visible.ts';

export async function foundVerb(context: Context): Promise<number> {
  const found = await context.deps.foundProjects(context.projectDir, await readState(context));
  const lines = found.map(
    ({ name, fault }) => `${visibleLine(name)}${fault === null ? '' : `: ${visibleLine(fault)}`}`,
  );
  const adopt = found.some(({ fault }) => fault === null)
    ? [`Take one over: ${command(context, 'project adopt <name>')}`]
    : [];
  print(context, { found }, [...lines, ...adopt].join('\n'));
  return 0;
}

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
