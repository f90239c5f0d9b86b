/** Verbs about projects, and those for and of the main agent. */
import type { Command } from 'commander';
import type { ListOptions } from '../project/project.ts';
import type { DefinitionOptions, NewOptions, ProjectLimitOptions } from '../project/projectActs.ts';
import type { ChatOptions } from '../project/talk/chat.ts';
import type { MessagesOptions, SendOptions } from '../project/talk/talkVerbs.ts';
import type { Act, Context } from '../screen/context.ts';

type Acts = typeof import('../project/projectActs.ts');

const append = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

function definitionOptions(command: Command): Command {
  return command
    .option('-f, --file <file>', 'its text: goal, background, constraints; - reads the input')
    .option('--model <model>', 'of its conversation and jobs, or none: the default ones')
    .option('--provider <provider>', 'who answers its conversation: anthropic or simulated')
    .option('--scenario <file>', 'a scenario for the simulated provider: a built-in name or a file')
    .option('--executor <agent>', 'who does its jobs: an agent, or role=agent,…, or none; again for the next', append)
    .option('--workdir <dir>', 'another repository that it works on; you are asked to trust it')
    .option('--after <project>', 'first turn when that project is completed, or none')
    .option(
      '--idle <time>',
      'suspended after that long with nothing to do, e.g. 4h; or never, or default: as set for all',
    )
    .option('--heartbeat <time>', 'looks by itself that often, e.g. 30m, 4h or 1d; or none')
    .option('--heartbeat-prompt <text>', 'what it is asked then');
}

export function addProjectVerbs(program: Command, act: Act): void {
  const project = program.command('project').description('long-lived projects of this workspace');
  addLooks(project, act);
  addLife(project, act);
  addTalk(project, act);
  program
    .command('chat')
    .description('talk to the main agent, which talks to all projects')
    .option('-m, --message <text>', 'say this, wait for the reply, print it and end')
    .option('--provider <provider>', 'who answers: anthropic or simulated; kept from then on')
    .option('--scenario <file>', 'a scenario for the simulated provider: a built-in name or a file')
    .option('--model <model>', 'the model that answers')
    .action((options: ChatOptions) =>
      act(async (context) => (await import('../project/talk/chat.ts')).chatVerb(context, options)),
    );
  program
    .command('mcp')
    .description('serve the main agent’s tools to another agent, as an MCP server on input and output')
    .action(() => act(async (context) => (await import('../workspace/mcp.ts')).mcpVerb(context)));
}

function addLooks(project: Command, act: Act): void {
  project
    .command('list')
    .description('list them')
    .option('--all', 'archived ones too')
    .option('--found', 'instead: folders of projects that were not made here')
    .action(({ found, ...options }: ListOptions & { found?: true }) =>
      act(async (context) =>
        found === true
          ? (await import('../project/projectFiles.ts')).foundVerb(context)
          : (await import('../project/project.ts')).projectListVerb(context, options),
      ),
    );
  project
    .command('show <project>')
    .description('how one stands, and its text')
    .action((name: string) =>
      act(async (context) => (await import('../project/project.ts')).projectShowVerb(context, name)),
    );
  project
    .command('templates')
    .description('list the templates for new ones')
    .action(() => act(async (context) => (await import('../project/projectFiles.ts')).templatesVerb(context)));
  project
    .command('memory <project> [memory-file]')
    .description('the files of its memory, or what one of them says')
    .action((name: string, path: string | undefined) =>
      act(async (context) => (await import('../project/projectFiles.ts')).memoryVerb(context, name, path)),
    );
}

function addLife(project: Command, act: Act): void {
  const acts = (): Promise<Acts> => import('../project/projectActs.ts');
  definitionOptions(project.command('new <name> [goal...]'))
    .description('make one: a-z, 0-9 and hyphens')
    .option('--goal <text>', 'what it is for and when it is done')
    .option('--background <text>', 'what it must know')
    .option('--constraints <text>', 'what it must not do')
    .option('--template <template>', 'begin with a template: see project templates')
    .action((name: string, goal: string[], options: NewOptions) =>
      act(async (context) => (await acts()).projectNewVerb(context, name, goal, options)),
    );
  definitionOptions(project.command('edit <project>'))
    .description('change what is given, or its text in an editor')
    .action((name: string, options: DefinitionOptions) =>
      act(async (context) => (await acts()).projectEditVerb(context, name, options)),
    );
  project
    .command('limits <project>')
    .description('show or set what it may use: US dollars or numbers, or none')
    .option('--daily <usd>', 'of a day')
    .option('--total <usd>', 'in all')
    .option('--tokens <number>', 'input and output of all its calls')
    .option('--tool-calls <number>', 'calls of tools')
    .action((name: string, options: ProjectLimitOptions) =>
      act(async (context) => (await acts()).projectLimitsVerb(context, name, options)),
    );
  const step = (
    name: string,
    description: string,
    run: (acts: Acts, context: Context, project: string) => Promise<number>,
  ): void => {
    project
      .command(`${name} <project>`)
      .description(description)
      .action((id: string) => act(async (context) => run(await acts(), context, id)));
  };
  const withReason = (name: 'suspend' | 'complete', description: string): void => {
    project
      .command(`${name} <project>`)
      .description(description)
      .option('--reason <text>', 'why, or what came of it')
      .action((id: string, { reason = '' }: { reason?: string }) =>
        act(async (context) => (await acts())[`${name}Verb`](context, id, reason)),
      );
  };
  withReason('suspend', 'stop it and pause its jobs; nothing is lost');
  step('resume', 'resume a suspended project, or try a waiting one now', (of, context, id) =>
    of.resumeVerb(context, id),
  );
  step('stop', 'stop the turn of its conversation (main: the main agent)', (of, context, id) =>
    of.stopTurnVerb(context, id),
  );
  withReason('complete', 'its goal is reached');
  step('archive', 'put a completed one out of the way; it stays readable', (of, context, id) =>
    of.archiveVerb(context, id),
  );
  step('unpark', 'try a parked one again', (of, context, id) => of.unparkVerb(context, id));
  step('adopt', 'take over a folder with a PROJECT.md that was not made here', (of, context, id) =>
    of.adoptVerb(context, id),
  );
}

function addTalk(project: Command, act: Act): void {
  project
    .command('send <project> [text...]')
    .description('say something to it; - reads the input')
    .option('--wait', 'print the reply; run the workspace if no process does')
    .option('--relay <message>', 'instead: pass on this message of another project, word for word')
    .action((name: string, text: string[], options: SendOptions) =>
      act(async (context) => (await import('../project/talk/talkVerbs.ts')).sendVerb(context, name, text, options)),
    );
  project
    .command('messages <project>')
    .description('what was said to it and by it')
    .option('--last <number>', 'this many; default: 20')
    .option('--keep-unread', 'do not count as seen what is new')
    .action((name: string, options: MessagesOptions) =>
      act(async (context) => (await import('../project/talk/talkVerbs.ts')).messagesVerb(context, name, options)),
    );
}
