/** `task template …`: templates that tasks can be created from. */
import { type Context, columns, command, print, printExact, readState, withEngine } from '../screen/context.ts';
import { table } from '../text/table.ts';
import { visibleLine } from '../text/visible.ts';
import { findTask } from './findTask.ts';

export async function templateListVerb(context: Context): Promise<number> {
  const templates = await (await context.workspace.taskTemplates()).list();
  const cells = templates.map(({ name, description, origin }) => [visibleLine(name), origin, visibleLine(description)]);
  const titles = [{ title: 'TEMPLATE' }, { title: 'FROM' }, { title: 'WHAT IT DOES', gives: true }];
  const use = [
    `Its parameters: ${command(context, 'task template show <name>')}`,
    `Use one: ${command(context, 'task new --template <name> --param <parameter>=<value>')}`,
  ];
  print(context, { templates }, [...table(titles, cells, columns(context)), ...use].join('\n'));
  return 0;
}

export async function templateShowVerb(context: Context, name: string): Promise<number> {
  const text = await (await context.workspace.taskTemplates()).text(name);
  printExact(context, { template: { name, text } }, text);
  return 0;
}

export async function templateSaveVerb(
  context: Context,
  id: string,
  name: string,
  options: { readonly replace?: true },
): Promise<number> {
  const task = findTask(context, await readState(context), id);
  const { path } = await withEngine(context, (engine) =>
    engine.request('saveTaskTemplate', { taskId: task.id, name, replace: options.replace === true }),
  );
  print(context, { template: { name, path } }, `Saved task ${task.id} as template ${visibleLine(name)}: ${path}`);
  return 0;
}

export async function templatePathVerb(context: Context): Promise<number> {
  const { folder } = await context.workspace.taskTemplates();
  print(context, { path: folder }, folder);
  return 0;
}
