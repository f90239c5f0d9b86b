/** Completion for shells: its script, and the hidden verb that the script asks. */
import type { Command } from 'commander';
import type { Act } from '../screen/context.ts';

export function addCompletionVerbs(program: Command, act: Act): void {
  program
    .command('completion <shell>')
    .description('print the completion script of bash, zsh or fish')
    .action((shell: string) =>
      act(async (context) => (await import('./completion/completion.ts')).completionVerb(context, shell)),
    );
  program
    .command('__complete [words...]', { hidden: true })
    .action((words: string[]) =>
      act(async (context) => (await import('./completion/completion.ts')).candidatesVerb(context, program, words)),
    );
}
