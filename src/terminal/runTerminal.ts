/** The entry of the terminal: words in, exit code out. Never ends the process. */
import { dataWithoutSecrets, withoutSecrets } from '../core/guard/secrets.ts';
import { asFailure, ERROR_TRAITS, type ErrorDetails, findFailure, toPlain } from '../shared/errors.ts';
import { DEFAULT_PROJECT } from '../shared/project/projects.ts';
import type { TableName } from '../shared/workspace/state.ts';
import { PROGRAM } from './screen/context.ts';
import type { TerminalDeps } from './screen/world.ts';
import { visibleBlock } from './text/visible.ts';

/**
 * `argv` without the program's own name. 0 done, 1 failed, 2 usage, 3 waits for the steward, 75 no owner reachable or
 * try again. Failures go to the error stream, and with `--json` to the output as `{"version":1,"error":{…}}`.
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

/** The verb that lists what is looked for in vain. */
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

/** Where to look for what is not there; the default project is listed before it is. */
function missingHint({ table, id }: ErrorDetails): string {
  if (table === 'projects' && id === DEFAULT_PROJECT) return `It begins with its first brief: ${PROGRAM} run "…"`;
  const lists = typeof table === 'string' ? LISTED_BY[table] : undefined;
  return lists === undefined ? '' : `See: ${PROGRAM} ${lists}`;
}
