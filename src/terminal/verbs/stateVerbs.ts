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
    .option('--daily <usd>', 'of a day')
    .option('--call <usd>', 'of one call')
    .option('--project <usd>', 'of the project')
    .option('--total <usd>', 'in all')
    .action((options: LimitOptions) =>
      act(async (context) => (await import('../money/limits.ts')).limitsVerb(context, options)),
    );
  program
    .command('doctor')
    .description('what is missing on this machine, and how to get it')
    .option('--restore', 'restore what the database holds beyond a log that lost its end')
    .action((options: DoctorOptions) =>
      act(async (context) => (await import('../workspace/doctor.ts')).doctorVerb(context, options)),
    );
}

function addLooks(program: Command, act: Act): void {
  const board = program
    .command('board')
    .description('the features by status')
    .option('--job <job>', 'only of this job')
    .action((options: { job?: string }) =>
      act(async (context) => (await import('../job/board.ts')).boardVerb(context, options)),
    );
  board
    .command('move <feature> <place>')
    .description('give a feature another place in its phase, from 1 on')
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
    .description('where the money went')
    .option('--job <job>', 'only of this job')
    .action((options: { job?: string }) =>
      act(async (context) => (await import('../money/costs.ts')).costsVerb(context, options)),
    );
  costs
    .command('adjust <call> <usd>')
    .description('say what a call cost whose end was not heard: see the list of costs')
    .action((call: string, usd: string) =>
      act(async (context) => (await import('../money/costs.ts')).adjustVerb(context, call, usd)),
    );
  program
    .command('preview [job]')
    .description('the exact next request to the model, without sending it')
    .action((job: string | undefined) =>
      act(async (context) => (await import('../job/run/preview.ts')).previewVerb(context, job)),
    );
}

function addKept(program: Command, act: Act): void {
  program
    .command('attempts')
    .description('the attempts at features, and how much is kept of the work of each')
    .option('--job <job>', 'only of this job')
    .action((options: { job?: string }) =>
      act(async (context) => (await import('../job/attempts.ts')).attemptsVerb(context, options)),
    );
  program
    .command('restore <attempt>')
    .description("an attempt's work as a new branch, whether its clone is there or not; no file of yours is touched")
    .option('--branch <branch>', 'the name of the branch; default: autonomous/attempt-N')
    .option('--patch <file>', 'instead: a patch file, of all since your commit')
    .option('--own', 'with --patch: only what the attempt itself did')
    .action((attempt: string, options: RestoreOptions) =>
      act(async (context) => (await import('../job/attempts.ts')).restoreVerb(context, attempt, options)),
    );
  program
    .command('clean')
    .description(
      'which clones of jobs that are over would go; with --yes they do, and the work of their attempts stays',
    )
    .option('--max <size>', 'what all clones together may take; default: 20GB')
    .option('--all', 'those of all jobs that are over')
    .option('-y, --yes', 'do it')
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
    .description(
      'take in an export, into a workspace in which nothing was done yet; to be looked at, never gone on with',
    )
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
    .option('--file <file>', 'the file that it is about')
    .option('--line <number>', 'the line in that file')
    .option('--replaces <note>', 'the note that it takes the place of')
    .action((words: string[], options: NoteOptions) =>
      act(async (context) => (await import('../note.ts')).noteVerb(context, words, options)),
    );
  program
    .command('notes [feature] [category]')
    .description('the notes of a feature with those of its category and the global ones; alone the global ones')
    .option('--ids', 'with the id of each')
    .option('--resolve <note>', 'instead: this one holds no longer, and is told to nobody any more')
    .action((feature: string | undefined, category: string | undefined, options: NotesOptions) =>
      act(async (context) => (await import('../note.ts')).notesVerb(context, feature, category, options)),
    );
}
