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

const FOLLOW = 'stay until it is over or waits for you, and carry it out if nobody does';

const repeated = (word: string, before: readonly string[] = []): string[] => [...before, word];

/** What fills in a template. */
function templateOptions(command: Command): Command {
  return command
    .option('--template <template>', 'made of a template: see task template list')
    .option('--param <name=value>', 'a parameter of the template; may be repeated', repeated)
    .option('--project <project>', 'in this project; default: the default one');
}

export function addTaskVerbs(program: Command, act: Act): void {
  const task = program
    .command('task')
    .description('long-running tasks: scripts of steps. They run while a process owns the workspace')
    .addHelpText(
      'after',
      '\nThe start of an id is enough. A task runs while a process owns the workspace: the editor, `serve`, `run`, `chat`, `mcp`, or\nanything here with --follow. Without one it waits, and goes on where it was.',
    );
  addMaking(task, act);
  addLooks(task, act);
  addLife(task, act);
  addTemplates(task, act);
  addSchedules(task, act);
}

function addMaking(task: Command, act: Act): void {
  templateOptions(task.command('new [file]'))
    .description('make one of a YAML file, of the input (-), or of a template')
    .option('--start', 'begin it at once')
    .option('--follow', FOLLOW)
    .option('--provider <provider>', 'who answers its model steps: anthropic or simulated')
    .option('--scenario <file>', 'a scenario for the simulated provider: a built-in name or a file')
    .option('--model <model>', 'the model of its steps')
    .option('--budget <usd>', 'the most that it may cost')
    .action((file: string | undefined, options: NewTaskOptions) =>
      act(async (context) => (await import('../task/taskNew.ts')).taskNewVerb(context, file, options)),
    );
  task
    .command('check <file>')
    .description('all that is wrong with a file, with line and column, and what it would do; - reads the input')
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
    .description('change one that was not started, in an editor')
    .option('-f, --file <file>', 'instead: take this text; - reads the input')
    .action((id: string, options: { file?: string }) =>
      act(async (context) => (await import('../task/taskNew.ts')).taskEditVerb(context, id, options)),
    );
}

function addLooks(task: Command, act: Act): void {
  const looks = (): Promise<Looks> => import('../task/tasks.ts');
  task
    .command('list')
    .description('those that are not over, and the newest that are')
    .option('--active', 'only those that run or are paused')
    .option('--all', 'all of them')
    .option('--project <project>', 'only of this project')
    .action((options: TaskListOptions) => act(async (context) => (await looks()).taskListVerb(context, options)));
  const one = (name: string, description: string, run: (of: Looks, context: Context, id: string) => Promise<number>) =>
    task
      .command(`${name} <task>`)
      .description(description)
      .action((id: string) => act(async (context) => run(await looks(), context, id)));
  one('show', 'all of it: steps with their state, cost and questions', (of, context, id) =>
    of.taskShowVerb(context, id),
  );
  one('report', 'what it came to, as Markdown', (of, context, id) => of.taskReportVerb(context, id));
  one('log', 'what happened to it, line by line', (of, context, id) => of.taskLogVerb(context, id));
  task
    .command('progress <task>')
    .description('how far it is, what runs, the time left and the cost')
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
  following('start', 'begin it');
  following('retry', 'a failed one goes on at the step that failed');
  task
    .command('resume <task>')
    .description('resume a paused task, or try a waiting one now')
    .option('--budget <usd>', 'the most that it may cost in all, or none')
    .option('--follow', FOLLOW)
    .action((id: string, options: ResumeOptions) =>
      act(async (context) => (await acts()).resumeVerb(context, id, options)),
    );
  const withReason = (name: 'pause' | 'cancel', description: string): void => {
    task
      .command(`${name} <task>`)
      .description(description)
      .option('--reason <text>', 'why')
      .action((id: string, { reason }: { reason?: string }) =>
        act(async (context) => (await acts())[`${name}Verb`](context, id, reason)),
      );
  };
  withReason('pause', 'nothing else of it begins; what runs ends and is kept');
  withReason('cancel', 'end it for good');
  task
    .command('remove <task>')
    .description('drop one that is over or was never started; what it cost stays')
    .action((id: string) => act(async (context) => (await acts()).removeVerb(context, id)));
}

function addTemplates(task: Command, act: Act): void {
  const templates = (): Promise<Templates> => import('../task/taskTemplates.ts');
  const template = task.command('template').description('templates of tasks: YAML files that can be shared');
  template
    .command('list')
    .description('what a task can be made of')
    .action(() => act(async (context) => (await templates()).templateListVerb(context)));
  template
    .command('show <template>')
    .description('its text')
    .action((name: string) => act(async (context) => (await templates()).templateShowVerb(context, name)));
  template
    .command('save <task> <name>')
    .description("keep a task as a template, in the workspace's folder of them")
    .option('--replace', 'also where there is one of this name')
    .action((id: string, name: string, options: { replace?: true }) =>
      act(async (context) => (await templates()).templateSaveVerb(context, id, name, options)),
    );
  template
    .command('path')
    .description('the folder where the templates of the workspace lie')
    .action(() => act(async (context) => (await templates()).templatePathVerb(context)));
}

function addSchedules(task: Command, act: Act): void {
  const schedules = (): Promise<Schedules> => import('../task/taskSchedules.ts');
  const schedule = task.command('schedule').description('tasks that come again and again');
  templateOptions(schedule.command('set [file]'))
    .description('a new one, of a YAML file, the input (-) or a template; or change one, by --id')
    .option('--id <schedule>', 'change this one')
    .option('--name <name>', 'what it is called; default: as its task')
    .option('--cron <expression>', 'when, in five fields, e.g. "0 9 * * 1-5"')
    .option('--time-zone <zone>', 'e.g. Europe/Berlin; default: that of this machine')
    .option('--keep <number>', 'ended tasks of it that are kept; default: 20')
    .option('--on', 'it comes again')
    .option('--off', 'it does not come until it is switched on')
    .action((file: string | undefined, options: ScheduleOptions) =>
      act(async (context) => (await schedules()).scheduleSetVerb(context, file, options)),
    );
  schedule
    .command('list')
    .description('them all, with their next times')
    .action(() => act(async (context) => (await schedules()).scheduleListVerb(context)));
  schedule
    .command('remove <schedule>')
    .description('it comes no more; its tasks stay')
    .action((id: string) => act(async (context) => (await schedules()).scheduleRemoveVerb(context, id)));
}
