/** Verbs that take a brief. */
import type { Command } from 'commander';
import type { BriefOptions } from '../job/run/brief.ts';
import type { RunOptions } from '../job/run/run.ts';
import type { Act } from '../screen/context.ts';
import type { DemoOptions } from '../workspace/demo.ts';

export const append = (value: string, before: readonly string[] | false | undefined): readonly string[] => [
  ...(Array.isArray(before) ? before : []),
  value,
];

function briefOptions(command: Command): Command {
  return workOptions(
    setupOptions(
      command
        .option('-f, --file <file>', 'read the brief from a file, or from the input with -')
        .option('--project <project>', 'the project of the job (default: default)')
        .option('--gates <gates>', 'where to ask: plan,phase,merge or none (default: plan,merge)')
        .option('--merge <mode>', 'how to hand over the result: merge, branch or patch')
        .option('--budget <usd>', 'cost limit of this job, in US dollars, or none (default: 10)'),
    ),
  );
}

export function setupOptions(command: Command): Command {
  return command
    .option('--setup <command>', 'a setup command for the clone; may be repeated', append)
    .option('--no-setup', 'run no setup command');
}

/** Options of a job that decide who works, and how. */
export function workOptions(command: Command): Command {
  return command
    .option('--provider <provider>', 'anthropic or simulated (default: anthropic)')
    .option('--scenario <file>', 'a scenario for the simulated provider: a built-in name or a file')
    .option('--commit-author <who>', 'author of the commits: user or autonomous (default: user)')
    .option('--model <role=model>', 'a model for all roles, or role=model; may be repeated', append)
    .option('--effort <level>', 'effort of the models: a level, or role=level,…; may be repeated', append)
    .option('--routing <routing>', 'choice of the model by results: off, suggest or on (default: off)')
    .option('--ladder <role=models>', 'models of a role from cheap to strong: role=model,…; may be repeated', append)
    .option('--executor <agent>', 'who does the sessions: an agent, or role=agent,…; again for the next', append)
    .option('--max-calls <number>', 'limit of model calls of the job, if they have no price')
    .option('--max-tokens <number>', 'limit of tokens of the job, if they have no price')
    .option('--batch <number>', 'features that one worker conversation may take in a row, 1 to 10')
    .option('--lanes <number>', 'features that are worked on at the same time, 1 to 16 (default: 3)')
    .option(
      '--conversation <how>',
      'conversation of another attempt at a feature: continue or fresh (default: continue)',
    )
    .option('--review-each-feature', 'review every feature separately too')
    .option('--tries <number>', 'failed attempts allowed for a feature, 1 to 10')
    .option('--phase-tries <number>', 'attempts allowed for a rejected phase, 1 to 10')
    .option('--attempt-turns <number>', 'limit of model calls of one attempt')
    .option('--attempt-tokens <number>', 'limit of tokens of one attempt')
    .option('--attempt-minutes <number>', 'longest time of one attempt')
    .option('--attempt-budget <usd>', 'cost limit of one attempt, in US dollars');
}

export function addBriefVerbs(program: Command, act: Act): void {
  briefOptions(program.command('run [brief...]'))
    .description('file a brief and run its job, or resume a job')
    .option('--backlog', 'work through the pending features that no job has')
    .option('--resume [job]', 'resume a job instead: the selected one, or this one')
    .option('-y, --yes', 'answer the plan, phase and merge gates, a dirty tree and setup commands with yes')
    .option('--daily-limit <usd>', 'cost limit of all jobs per day, in US dollars, or none')
    .action((brief: string[], options: RunOptions) =>
      act(async (context) => (await import('../job/run/run.ts')).runVerb(context, brief, options)),
    );

  const plan = briefOptions(program.command('plan [brief...]'))
    .description('file a brief and stop at the plan; or show, edit, export a plan')
    .action((brief: string[], options: BriefOptions) =>
      act(async (context) => (await import('../job/run/run.ts')).planVerb(context, brief, options)),
    );
  plan
    .command('show [job]')
    .description('show the plan')
    .action((job: string | undefined) =>
      act(async (context) => (await import('../job/plan.ts')).planShowVerb(context, job)),
    );
  plan
    .command('edit [job]')
    .description('change the plan in an editor, or take it from a file')
    .option('-f, --file <file>', 'the changed plan, or - for the input')
    .action((job: string | undefined, _options: unknown, command: Command) =>
      act(async (context) => (await import('../job/plan.ts')).planEditVerb(context, job, command.optsWithGlobals())),
    );
  plan
    .command('export [job]')
    .description('print the plan as JSON, for edit --file')
    .option('-f, --file <file>', 'write it to a file')
    .action((job: string | undefined, _options: unknown, command: Command) =>
      act(async (context) => (await import('../job/plan.ts')).planExportVerb(context, job, command.optsWithGlobals())),
    );

  briefOptions(program.command('dry-run [brief...]'))
    .description('estimate the steps and the cost of a brief by a simulation')
    .action((brief: string[], options: BriefOptions) =>
      act(async (context) => (await import('../job/run/dryRun.ts')).dryRunVerb(context, brief, options)),
    );
  program
    .command('demo')
    .description('watch a run on a small real program, with a simulated model and no key')
    .option('--ask', 'answer the questions yourself')
    .option('--lanes <number>', 'features that are worked on at the same time, 1 to 16 (default: 1)')
    .option('--keep', 'keep the sample repository (default)', true)
    .option('--no-keep', 'remove the sample repository at the end')
    .option('--provider <provider>', 'anthropic: build it with the real model, answering yourself')
    .option('--executor <agent>', 'who does the sessions: an agent, or role=agent,…; again for the next', append)
    .action((options: DemoOptions) =>
      act(async (context) => (await import('../workspace/demo.ts')).demoVerb(context, options)),
    );
}
