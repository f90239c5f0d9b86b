/** Verbs about long-running tasks, their templates and schedules. */
import type { Command } from 'commander';
import type { Act, Context } from '../screen/context.ts';
import type { ResumeOptions } from '../task/taskActs.ts';
import type { NewTaskOptions } from '../task/taskNew.ts';
import type { ScheduleOptions } from '../task/taskSchedules.ts';
import type { TaskListOptions } from '../task/tasks.ts';

type Looks = typeof import('../task/tasks.ts');
type Acts = typeof import('../task/taskActs.ts');
type Templates = typeof import('../task/taskTemplates.ts');
type Schedules = typeof import('../task/taskSchedules.ts');

const FOLLOW = 'follow it until it ends or needs you; run it if no other process does';

const repeated = (word: string, before: readonly string[] = []): string[] => [...before, word];

/** Options that fill in a template. */
function templateOptions(command: Command): Command {
  return command
    .option('--template <template>', 'create it from a template: see task template list')
    .option('--param <name=value>', 'a parameter of the template; may be repeated', repeated)
    .option('--project <project>', 'in this project; default: the default one');
}

export function addTaskVerbs(program: Command, act: Act): void {
  const task = program
    .command('task')
    .description('long-running tasks: scripts of steps. They run while a process owns the workspace')
    .addHelpText(
      'after',
      '\nThe start of an id is enough. A task runs while a process owns the workspace: the editor, `serve`, `run`, `chat`, `mcp`, or\nanything here with --follow. Without an owner it is kept, and resumes later.',
    );
  addMaking(task, act);
  addLooks(task, act);
  addLife(task, act);
  addTemplates(task, act);
  addSchedules(task, act);
}

function addMaking(task: Command, act: Act): void {
  templateOptions(task.command('new [file]'))
    .description('create a task from a YAML file, the input (-) or a template')
    .option('--start', 'start it immediately')
    .option('--follow', FOLLOW)
    .option('--provider <provider>', 'provider of its model steps: anthropic or simulated')
    .option('--scenario <file>', 'a scenario for the simulated provider: a built-in name or a file')
    .option('--model <model>', 'the model of its steps')
    .option('--budget <usd>', 'cost limit of the task')
    .action((file: string | undefined, options: NewTaskOptions) =>
      act(async (context) => (await import('../task/taskNew.ts')).taskNewVerb(context, file, options)),
    );
  task
    .command('check <file>')
    .description('list the problems of a file, with line and column, and its effects; - reads the input')
    .action((file: string) =>
      act(async (context) => (await import('../task/taskNew.ts')).taskCheckVerb(context, file)),
    );
  task
    .command('add-steps <task> <file>')
    .description('append the steps of a YAML file; - reads the input')
    .action((id: string, file: string) =>
      act(async (context) => (await import('../task/taskNew.ts')).addStepsVerb(context, id, file)),
    );
  task
    .command('edit <task>')
    .description('edit a task that was not started')
    .option('-f, --file <file>', 'use this text instead of an editor; - reads the input')
    .action((id: string, options: { file?: string }) =>
      act(async (context) => (await import('../task/taskNew.ts')).taskEditVerb(context, id, options)),
    );
}

function addLooks(task: Command, act: Act): void {
  const looks = (): Promise<Looks> => import('../task/tasks.ts');
  task
    .command('list')
    .description('list open tasks and the newest ended ones')
    .option('--active', 'only those that run or are paused')
    .option('--all', 'every task')
    .option('--project <project>', 'only of this project')
    .action((options: TaskListOptions) => act(async (context) => (await looks()).taskListVerb(context, options)));
  const one = (name: string, description: string, run: (of: Looks, context: Context, id: string) => Promise<number>) =>
    task
      .command(`${name} <task>`)
      .description(description)
      .action((id: string) => act(async (context) => run(await looks(), context, id)));
  one('show', 'show a task: steps with their state, cost and questions', (of, context, id) =>
    of.taskShowVerb(context, id),
  );
  one('report', 'print the report of a task as Markdown', (of, context, id) => of.taskReportVerb(context, id));
  one('log', 'print the log of a task', (of, context, id) => of.taskLogVerb(context, id));
  task
    .command('progress <task>')
    .description('show the progress, running steps, time left and cost of a task')
    .option('--follow', FOLLOW)
    .action((id: string, options: { follow?: true }) =>
      act(async (context) => (await looks()).taskProgressVerb(context, id, options)),
    );
}

function addLife(task: Command, act: Act): void {
  const acts = (): Promise<Acts> => import('../task/taskActs.ts');
  const following = (name: 'start' | 'retry', description: string): void => {
    task
      .command(`${name} <task>`)
      .description(description)
      .option('--follow', FOLLOW)
      .action((id: string, options: { follow?: true }) =>
        act(async (context) => (await acts())[`${name}Verb`](context, id, options)),
      );
  };
  following('start', 'start a task');
  following('retry', 'resume a failed task at the step that failed');
  task
    .command('resume <task>')
    .description('resume a paused task, or try a waiting one now')
    .option('--budget <usd>', 'new cost limit of the task, or none')
    .option('--follow', FOLLOW)
    .action((id: string, options: ResumeOptions) =>
      act(async (context) => (await acts()).resumeVerb(context, id, options)),
    );
  const withReason = (name: 'pause' | 'cancel', description: string): void => {
    task
      .command(`${name} <task>`)
      .description(description)
      .option('--reason <text>', 'the reason')
      .action((id: string, { reason }: { reason?: string }) =>
        act(async (context) => (await acts())[`${name}Verb`](context, id, reason)),
      );
  };
  withReason('pause', 'pause a task; running steps end, and their results are kept');
  withReason('cancel', 'cancel a task');
  task
    .command('remove <task>')
    .description('delete an ended or never started task; its cost stays recorded')
    .action((id: string) => act(async (context) => (await acts()).removeVerb(context, id)));
}

function addTemplates(task: Command, act: Act): void {
  const templates = (): Promise<Templates> => import('../task/taskTemplates.ts');
  const template = task.command('template').description('templates of tasks: YAML files that can be shared');
  template
    .command('list')
    .description('list templates of tasks')
    .action(() => act(async (context) => (await templates()).templateListVerb(context)));
  template
    .command('show <template>')
    .description('print a template')
    .action((name: string) => act(async (context) => (await templates()).templateShowVerb(context, name)));
  template
    .command('save <task> <name>')
    .description("save a task as a template in the workspace's folder")
    .option('--replace', 'replace a template of this name')
    .action((id: string, name: string, options: { replace?: true }) =>
      act(async (context) => (await templates()).templateSaveVerb(context, id, name, options)),
    );
  template
    .command('path')
    .description("print the folder of the workspace's templates")
    .action(() => act(async (context) => (await templates()).templatePathVerb(context)));
}

function addSchedules(task: Command, act: Act): void {
  const schedules = (): Promise<Schedules> => import('../task/taskSchedules.ts');
  const schedule = task.command('schedule').description('schedules, which create tasks repeatedly');
  templateOptions(schedule.command('set [file]'))
    .description('create a schedule from a YAML file, the input (-) or a template, or change one by --id')
    .option('--id <schedule>', 'change this schedule')
    .option('--name <name>', 'its name; default: the name of its task')
    .option('--cron <expression>', 'due times in five fields, e.g. "0 9 * * 1-5"')
    .option('--time-zone <zone>', 'e.g. Europe/Berlin; default: that of this machine')
    .option('--keep <number>', 'number of its ended tasks to keep; default: 20')
    .option('--on', 'switch the schedule on')
    .option('--off', 'switch the schedule off')
    .action((file: string | undefined, options: ScheduleOptions) =>
      act(async (context) => (await schedules()).scheduleSetVerb(context, file, options)),
    );
  schedule
    .command('list')
    .description('list schedules and their next run times')
    .action(() => act(async (context) => (await schedules()).scheduleListVerb(context)));
  schedule
    .command('remove <schedule>')
    .description('delete a schedule; keep its past tasks')
    .action((id: string) => act(async (context) => (await schedules()).scheduleRemoveVerb(context, id)));
}
