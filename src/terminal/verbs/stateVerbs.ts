/** Verbs about features, notes, money and the machine. */
import type { Command } from 'commander';
import type { RestoreOptions } from '../job/attempts.ts';
import type { LimitOptions } from '../money/limits.ts';
import type { NoteOptions, NotesOptions } from '../note.ts';
import type { Act } from '../screen/context.ts';
import type { CleanOptions } from '../workspace/clean.ts';
import type { DoctorOptions } from '../workspace/doctor.ts';

export function addStateVerbs(program: Command, act: Act): void {
  addLooks(program, act);
  addFeatureVerbs(program, act);
  program
    .command('limits')
    .description('show or set the limits over all jobs, in US dollars or none')
    .option('--daily <usd>', 'limit per day')
    .option('--call <usd>', 'limit of one call')
    .option('--project <usd>', 'limit of the project')
    .option('--total <usd>', 'limit in total')
    .action((options: LimitOptions) =>
      act(async (context) => (await import('../money/limits.ts')).limitsVerb(context, options)),
    );
  const rules = program
    .command('rules')
    .description('show the rules that approve gates, their uses, and the rules that are offered')
    .action(() => act(async (context) => (await import('../approval/rules.ts')).rulesVerb(context)));
  rules
    .command('create <offer>')
    .description('create a rule that is offered')
    .action((offer: string) =>
      act(async (context) => (await import('../approval/rules.ts')).createRuleVerb(context, offer)),
    );
  rules
    .command('revoke <rule>')
    .description('revoke a rule: its gate is asked about again')
    .action((rule: string) =>
      act(async (context) => (await import('../approval/rules.ts')).revokeRuleVerb(context, rule)),
    );
  program
    .command('doctor')
    .description('check this machine for missing parts and show the fixes')
    .option('--restore', 'restore rows that the database has but a damaged log lost')
    .action((options: DoctorOptions) =>
      act(async (context) => (await import('../workspace/doctor.ts')).doctorVerb(context, options)),
    );
}

function addLooks(program: Command, act: Act): void {
  const board = program
    .command('board')
    .description('show the features by status')
    .option('--job <job>', 'only of this job')
    .action((options: { job?: string }) =>
      act(async (context) => (await import('../job/board.ts')).boardVerb(context, options)),
    );
  board
    .command('move <feature> <place>')
    .description('move a feature to another position in its phase (from 1)')
    .action((feature: string, place: string) =>
      act(async (context) => (await import('../job/board.ts')).moveVerb(context, feature, place)),
    );
  const behind = (words: string, description: string, verb: 'showVerb' | 'sessionVerb' | 'artifactVerb'): void => {
    board
      .command(words)
      .description(description)
      .action((of: string) => act(async (context) => (await import('../job/card.ts'))[verb](context, of)));
  };
  behind('show <feature>', 'all of a feature: attempts with evidence, reviews, notes, sessions', 'showVerb');
  behind('session <session>', "a session's conversation", 'sessionVerb');
  behind('artifact <artifact>', "a kept diff or command's output", 'artifactVerb');
  addKept(program, act);
  const costs = program
    .command('costs')
    .description('show the costs')
    .option('--job <job>', 'only of this job')
    .action((options: { job?: string }) =>
      act(async (context) => (await import('../money/costs.ts')).costsVerb(context, options)),
    );
  costs
    .command('adjust <call> <usd>')
    .description('record the cost of a call whose response was lost')
    .action((call: string, usd: string) =>
      act(async (context) => (await import('../money/costs.ts')).adjustVerb(context, call, usd)),
    );
  program
    .command('preview [job]')
    .description('print the exact next request to the model, without sending it')
    .action((job: string | undefined) =>
      act(async (context) => (await import('../job/run/preview.ts')).previewVerb(context, job)),
    );
}

function addKept(program: Command, act: Act): void {
  program
    .command('attempts')
    .description('list the attempts at features and their saved work')
    .option('--job <job>', 'only of this job')
    .action((options: { job?: string }) =>
      act(async (context) => (await import('../job/attempts.ts')).attemptsVerb(context, options)),
    );
  program
    .command('restore <attempt>')
    .description("restore an attempt's work as a new branch, also without its clone; your files stay as they are")
    .option('--branch <branch>', 'the name of the branch; default: autonomous/attempt-N')
    .option('--patch <file>', 'write a patch file of all changes since your commit instead')
    .option('--own', 'with --patch: only the changes of the attempt')
    .action((attempt: string, options: RestoreOptions) =>
      act(async (context) => (await import('../job/attempts.ts')).restoreVerb(context, attempt, options)),
    );
  program
    .command('clean')
    .description('remove clones of ended jobs (dry run without --yes); saved work stays')
    .option('--max <size>', 'size limit of all clones together; default: 20GB')
    .option('--all', 'clones of all ended jobs')
    .option('-y, --yes', 'remove them')
    .action((options: CleanOptions) =>
      act(async (context) => (await import('../workspace/clean.ts')).cleanVerb(context, options)),
    );
  program
    .command('export <target>')
    .description(
      'plans, prompts, verdicts, costs, decisions and patches as Markdown and JSON, into a new folder or FILE.tar.gz',
    )
    .option('--job <job>', 'only this job; default: everything')
    .action((target: string, options: { job?: string }) =>
      act(async (context) => (await import('../workspace/exports.ts')).exportVerb(context, target, options)),
    );
  program
    .command('import <source>')
    .description('import an export into an empty workspace (read-only)')
    .action((source: string) =>
      act(async (context) => (await import('../workspace/exports.ts')).importVerb(context, source)),
    );
}

function addFeatureVerbs(program: Command, act: Act): void {
  program
    .command('status <feature> <status>')
    .description('set a feature to pending (uses a retry), in_progress, completed or failed')
    .action((feature: string, status: string) =>
      act(async (context) => (await import('../job/status.ts')).statusVerb(context, feature, status)),
    );
  program
    .command('note <words...>')
    .description('add a note: FEATURE TEXT, --category C TEXT, or --global TEXT')
    .option('--category <category>', 'for all features of a category')
    .option('--global', 'for all features')
    .option('--file <file>', 'the file of the note')
    .option('--line <number>', 'the line in that file')
    .option('--replaces <note>', 'the note that it replaces')
    .action((words: string[], options: NoteOptions) =>
      act(async (context) => (await import('../note.ts')).noteVerb(context, words, options)),
    );
  program
    .command('notes [feature] [category]')
    .description('the notes of a feature with those of its category and the global ones; alone the global ones')
    .option('--ids', 'show the id of each note')
    .option('--resolve <note>', 'mark a note as resolved instead')
    .action((feature: string | undefined, category: string | undefined, options: NotesOptions) =>
      act(async (context) => (await import('../note.ts')).notesVerb(context, feature, category, options)),
    );
}
