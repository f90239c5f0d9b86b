/** The entry of the terminal: words in, exit code out. Never ends the process. */
import { dataWithoutSecrets, withoutSecrets } from '../core/guard/secrets.ts';
import { asFailure, ERROR_TRAITS, type ErrorDetails, findFailure, toPlain } from '../shared/errors.ts';
import { DEFAULT_PROJECT } from '../shared/project/projects.ts';
import type { TableName } from '../shared/workspace/state.ts';
import { PROGRAM } from './screen/context.ts';
import type { TerminalDeps } from './screen/world.ts';
import { visibleBlock } from './text/visible.ts';

/**
 * `argv` without the program's name. Exit codes: 0 done, 1 failed, 2 usage, 3 the steward must answer, 75 no owner reachable or try again. Failures
 * go to the error stream, and with `--json` to the output as `{"version":1,"error":{…}}`.
 */
export async function runTerminal(argv: readonly string[], deps: TerminalDeps): Promise<number> {
  try {
    const { runProgram } = await import('./verbs/program.ts');
    return await runProgram(argv, deps);
  } catch (thrown) {
    return reportFailure(deps, argv.includes('--json'), thrown);
  }
}

function reportFailure(deps: TerminalDeps, json: boolean, thrown: unknown): number {
  const failed = dataWithoutSecrets(toPlain(findFailure(thrown) ?? asFailure(thrown)), withoutSecrets());
  const { code, message } = failed;
  const hint = failed.hint === '' ? missingHint(failed.details) : failed.hint;
  deps.io.err(`autonomous: ${visibleBlock(message)}\n`);
  if (hint !== '') deps.io.err(`  ${visibleBlock(hint)}\n`);
  const { problems } = failed.details;
  const error = { code, message, hint, ...(Array.isArray(problems) ? { problems } : {}) };
  if (json) deps.io.out(`${JSON.stringify({ version: 1, error })}\n`);
  return ERROR_TRAITS[code].exit;
}

/** The verb that lists existing objects of the type that was not found. */
const LISTED_BY: Readonly<Record<string, string>> = {
  projects: 'project list --all',
  jobs: 'jobs',
  features: 'board',
  attempts: 'attempts',
  notes: 'notes --ids',
  approvals: 'approvals',
  spends: 'costs',
  tasks: 'task list',
} satisfies Partial<Record<TableName, string>>;

/** The command that lists existing objects. The default project is listed before it exists. */
function missingHint({ table, id }: ErrorDetails): string {
  if (table === 'projects' && id === DEFAULT_PROJECT) return `It is created by its first brief: ${PROGRAM} run "…"`;
  const lists = typeof table === 'string' ? LISTED_BY[table] : undefined;
  return lists === undefined ? '' : `See: ${PROGRAM} ${lists}`;
}
