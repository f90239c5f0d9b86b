/** `project list --found`, `project templates` and `project memory`: the files of projects. */
import { need } from '../../core/state/rows.ts';
import { type Context, command, print, readState } from '../screen/context.ts';
import { visibleBlock, visibleLine } from '../text/visible.ts';

export async function foundVerb(context: Context): Promise<number> {
  const found = await context.workspace.project.found(await readState(context));
  const lines = found.map(
    ({ name, fault }) => `${visibleLine(name)}${fault === null ? '' : `: ${visibleLine(fault)}`}`,
  );
  const adopt = found.some(({ fault }) => fault === null)
    ? [`Take one over: ${command(context, 'project adopt <name>')}`]
    : [];
  const none = found.length === 0 ? ['There is no folder of a project that was not made here.'] : [];
  print(context, { found }, [...none, ...lines, ...adopt].join('\n'));
  return 0;
}

export async function templatesVerb(context: Context): Promise<number> {
  const templates = await context.workspace.project.templates();
  const use = `Start with one: ${command(context, 'project new <name> --template <template>')}`;
  print(context, { templates }, [...templates.map(visibleLine), use].join('\n'));
  return 0;
}

/** Lists the files of a project's memory, or prints one. */
export async function memoryVerb(context: Context, project: string, path: string | undefined): Promise<number> {
  need(await readState(context), 'projects', project);
  const text = await context.workspace.project.memory(project, path ?? null);
  const shown = text === '' && path === undefined ? 'It has written down nothing yet.' : visibleBlock(text);
  print(context, { project: { id: project }, path: path ?? null, text }, shown);
  return 0;
}
