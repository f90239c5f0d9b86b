/** Reads the source of a task on the command line: a YAML file, the input, or a template with its parameters. */
import { resolve } from 'node:path';
import { failure } from '../../shared/errors.ts';
import type { TaskDefinition, TaskTemplate } from '../../shared/task/tasks.ts';
import type { ReadTask, TextFault } from '../../shared/task/taskText.ts';
import type { Context } from '../screen/context.ts';
import { plural } from '../text/format.ts';
import { usage } from '../text/parse.ts';
import { visibleLine } from '../text/visible.ts';

export interface SourceOptions {
  readonly template?: string;
  /** Values of each `--param`. */
  readonly param?: readonly string[];
}

type Parameters = Record<string, string>;

/** The form in which requests take it. */
export type Source =
  | { readonly definition: TaskDefinition }
  | { readonly template: string; readonly parameters: Parameters };

export async function readText({ deps: { io, cwd } }: Context, file: string): Promise<string> {
  return file === '-' ? io.readStdin() : io.readFile(resolve(cwd, file));
}

/** Editors count lines and columns from 0, people from 1. */
export const shownFault = ({ line, column, message }: TextFault) => ({
  line: line + 1,
  column: column + 1,
  text: message,
});

/** `file:line:column: text`, as compilers say it. */
export function faultLine(file: string, fault: TextFault): string {
  const { line, column, text } = shownFault(fault);
  return `${visibleLine(file === '-' ? 'input' : file)}:${line}:${column}: ${visibleLine(text)}`;
}

/** Throws INVALID_INPUT with all problems if the file does not have the form of a task. */
export function needForm(file: string, { task, faults }: ReadTask): TaskTemplate {
  if (task !== null) return task;
  const lines = faults.map((fault) => faultLine(file, fault));
  throw failure('INVALID_INPUT', `this is not a task: ${plural(faults.length, 'problem')}\n${lines.join('\n')}`);
}

export async function sourceOf(context: Context, file: string | undefined, options: SourceOptions): Promise<Source> {
  const { template } = options;
  if ((file === undefined) === (template === undefined)) {
    throw usage('give a file, - for the input, or --template', 'See `autonomous task template list`.');
  }
  const parameters = parametersOf(options.param ?? []);
  if (template !== undefined) return { template, parameters };
  const tasks = await context.deps.workspaces.taskText();
  const name = file ?? '-';
  const task = needForm(name, tasks.read(await readText(context, name), null));
  const hasBlanks = Object.keys(task.parameters).length > 0;
  if (!hasBlanks && options.param !== undefined)
    throw usage('the file has no parameters: --param belongs to a template');
  return { definition: tasks.filled(task, parameters) };
}

/** Parses `name=value`, each name once. Numbers, true and false are read as such if the template's parameter has that type. */
function parametersOf(words: readonly string[]): Parameters {
  const given: Parameters = {};
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) throw usage(`--param "${visibleLine(word)}" is not name=value`);
    const name = word.slice(0, at);
    if (Object.hasOwn(given, name)) throw usage(`--param names ${visibleLine(name)} twice`);
    given[name] = word.slice(at + 1);
  }
  return given;
}
