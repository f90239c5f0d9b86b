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
    .option('--model <model>', 'model of its conversation and jobs, or none for the default ones')
    .option('--provider <provider>', 'provider of its conversation: anthropic or simulated')
    .option('--scenario <file>', 'a scenario for the simulated provider: a built-in name or a file')
    .option('--executor <agent>', 'agent of its jobs: a name, or role=agent,…, or none; may be repeated', append)
    .option('--workdir <dir>', 'another repository that it works on; you are asked to trust it')
    .option('--after <project>', 'wait until that project is completed, or none')
    .option(
      '--idle <time>',
      'suspended after that long with nothing to do, e.g. 4h; or never, or default: as set for all',
    )
    .option('--heartbeat <time>', 'interval of regular checks, e.g. 30m, 4h or 1d; or none')
    .option('--heartbeat-prompt <text>', 'the prompt of these checks');
}

export function addProjectVerbs(program: Command, act: Act): void {
  const project = program.command('project').description('long-lived projects of this workspace');
  addLooks(project, act);
  addLife(project, act);
  addTalk(project, act);
  program
    .command('chat')
    .description('talk to the main agent, which talks to all projects')
    .option('-m, --message <text>', 'send this message, print the reply and exit')
    .option('--provider <provider>', 'provider of its answers, stored: anthropic or simulated')
    .option('--scenario <file>', 'a scenario for the simulated provider: a built-in name or a file')
    .option('--model <model>', 'model of its answers')
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
    .description('list projects')
    .option('--all', 'archived ones too')
    .option('--found', 'list project folders that are not adopted instead')
    .action(({ found, ...options }: ListOptions & { found?: true }) =>
      act(async (context) =>
        found === true
          ? (await import('../project/projectFiles.ts')).foundVerb(context)
          : (await import('../project/project.ts')).projectListVerb(context, options),
      ),
    );
  project
    .command('show <project>')
    .description('show the state and the text of a project')
    .action((name: string) =>
      act(async (context) => (await import('../project/project.ts')).projectShowVerb(context, name)),
    );
  project
    .command('templates')
    .description('list the templates for new projects')
    .action(() => act(async (context) => (await import('../project/projectFiles.ts')).templatesVerb(context)));
  project
    .command('memory <project> [memory-file]')
    .description('list the files of its memory, or print one')
    .action((name: string, path: string | undefined) =>
      act(async (context) => (await import('../project/projectFiles.ts')).memoryVerb(context, name, path)),
    );
}

function addLife(project: Command, act: Act): void {
  const acts = (): Promise<Acts> => import('../project/projectActs.ts');
  definitionOptions(project.command('new <name> [goal...]'))
    .description('create a project (name: a-z, 0-9 and hyphens)')
    .option('--goal <text>', 'its purpose and when it is done')
    .option('--background <text>', 'facts that it must know')
    .option('--constraints <text>', 'rules that it must follow')
    .option('--template <template>', 'start with a template: see project templates')
    .action((name: string, goal: string[], options: NewOptions) =>
      act(async (context) => (await acts()).projectNewVerb(context, name, goal, options)),
    );
  definitionOptions(project.command('edit <project>'))
    .description('change the given fields, or the text in an editor')
    .action((name: string, options: DefinitionOptions) =>
      act(async (context) => (await acts()).projectEditVerb(context, name, options)),
    );
  project
    .command('limits <project>')
    .description('show or set the limits of a project: US dollars or numbers, or none')
    .option('--daily <usd>', 'limit per day')
    .option('--total <usd>', 'limit in total')
    .option('--tokens <number>', 'limit of input and output tokens')
    .option('--tool-calls <number>', 'limit of tool calls')
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
      .option('--reason <text>', 'the reason or the result')
      .action((id: string, { reason = '' }: { reason?: string }) =>
        act(async (context) => (await acts())[`${name}Verb`](context, id, reason)),
      );
  };
  withReason('suspend', 'suspend a project and its jobs; no work is lost');
  step('resume', 'resume a suspended project, or try a waiting one now', (of, context, id) =>
    of.resumeVerb(context, id),
  );
  step('stop', 'stop the turn of its conversation (main: the main agent)', (of, context, id) =>
    of.stopTurnVerb(context, id),
  );
  withReason('complete', 'mark a project as completed');
  step('archive', 'archive a completed project; it stays readable', (of, context, id) => of.archiveVerb(context, id));
  step('unpark', 'retry a parked project', (of, context, id) => of.unparkVerb(context, id));
  step('adopt', 'adopt a folder with a PROJECT.md that was not created here', (of, context, id) =>
    of.adoptVerb(context, id),
  );
}

function addTalk(project: Command, act: Act): void {
  project
    .command('send <project> [text...]')
    .description('send a message to a project; - reads the input')
    .option('--wait', 'print the reply; run the workspace if no process does')
    .option('--relay <message>', 'relay this message of another project instead, word for word')
    .action((name: string, text: string[], options: SendOptions) =>
      act(async (context) => (await import('../project/talk/talkVerbs.ts')).sendVerb(context, name, text, options)),
    );
  project
    .command('messages <project>')
    .description('show messages to and from a project')
    .option('--last <number>', 'number of messages; default: 20')
    .option('--keep-unread', 'keep new messages unread')
    .action((name: string, options: MessagesOptions) =>
      act(async (context) => (await import('../project/talk/talkVerbs.ts')).messagesVerb(context, name, options)),
    );
}
